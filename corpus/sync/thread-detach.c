// A detached thread reports its end through a semaphore.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static int result;

static void *worker(void *arg) {
    (void)arg;
    result = 3;
    sem_post(&done);
    return NULL;
}

int main(void) {
    pthread_t t;
    sem_init(&done, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    pthread_detach(t);
    sem_wait(&done);
    assert(result == 3);
    return 0;
}
