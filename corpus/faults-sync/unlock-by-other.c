// A semaphore, unlike a mutex, may be posted by a thread that did not wait for it.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <pthread.h>
#include <semaphore.h>

static sem_t started;

static void *worker(void *arg) {
    (void)arg;
    sem_post(&started);
    return NULL;
}

int main(void) {
    pthread_t t;
    sem_init(&started, 0, 1);
    sem_wait(&started);
    pthread_create(&t, NULL, worker, NULL);
    sem_wait(&started);
    pthread_join(t, NULL);
    return 0;
}
