// A worker that fails forgets to post the semaphore its customer waits for.
// expect: deadlock=unsafe assert=safe race=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <pthread.h>
#include <semaphore.h>
#include "threadproof.h"

static sem_t done;

static void *worker(void *arg) {
    (void)arg;
    if (!tp_nondet_bool())
        return NULL; // the failure
    sem_post(&done);
    return NULL;
}

int main(void) {
    pthread_t t;
    sem_init(&done, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    sem_wait(&done); //~ deadlock
    pthread_join(t, NULL);
    return 0;
}
