// main leaves with pthread_exit: the process goes on until the other threads have ended.
// expect: default=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t handed_over;
static int value;

static void *worker(void *arg) {
    (void)arg;
    sem_wait(&handed_over);
    assert(value == 1);
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
