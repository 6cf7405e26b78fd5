// A barrier for three threads that only two ever reach.
// expect: deadlock=unsafe assert=safe race=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>

static pthread_barrier_t all;

static void *worker(void *arg) {
    (void)arg;
    pthread_barrier_wait(&all); //~ deadlock
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_barrier_init(&all, NULL, 3);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL); //~ deadlock
    return 0;
}
