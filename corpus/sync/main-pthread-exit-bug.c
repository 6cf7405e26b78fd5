// A thread goes on after main has left with pthread_exit, and fails there.
// expect: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t handed_over;
static int value;

static void *worker(void *arg) {
    (void)arg;
    sem_wait(&handed_over);
    assert(value == 2); //~ assert
    return NULL;
}

int main(void) {
    pthread_t t;
    sem_init(&handed_over, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    value = 1;
    sem_post(&handed_over);
    pthread_exit(NULL);
}
