// The worker posts the semaphore whether its job succeeds or not.
// expect: default=safe overflow=safe leak=safe
// final-states: 2
// (the job succeeded or failed)
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include "threadproof.h"

static sem_t done;
static bool succeeded;

static void *worker(void *arg) {
    (void)arg;
    succeeded = tp_nondet_bool();
    sem_post(&done);
    return NULL;
}

int main(void) {
    pthread_t t;
    sem_init(&done, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    sem_wait(&done);
    pthread_join(t, NULL);
    return 0;
}
