// main passes the barrier with the worker, joins it, and then destroys the barrier.
// expect: default=safe overflow=safe leak=safe
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>

static pthread_barrier_t both;

static void *worker(void *arg) {
    (void)arg;
    pthread_barrier_wait(&both);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&t, NULL, worker, NULL);
    pthread_barrier_wait(&both);
    pthread_join(t, NULL);
    pthread_barrier_destroy(&both);
    return 0;
}
