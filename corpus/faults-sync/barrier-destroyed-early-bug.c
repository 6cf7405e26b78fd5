// main destroys a barrier at which a worker waits or will wait.
// expect: lock-misuse=unsafe assert=safe race=safe deadlock=safe memory=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>

static pthread_barrier_t both;

static void *worker(void *arg) {
    (void)arg;
    pthread_barrier_wait(&both); //~ lock-misuse
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&t, NULL, worker, NULL);
    pthread_barrier_destroy(&both); //~ lock-misuse
    pthread_join(t, NULL);
    return 0;
}
