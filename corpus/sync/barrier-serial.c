// Exactly one thread gets PTHREAD_BARRIER_SERIAL_THREAD in each round.
// expect: default=safe overflow=safe leak=safe
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int serial;

static void *worker(void *arg) {
    (void)arg;
    for (int round = 0; round < 2; round++) {
        int rc = pthread_barrier_wait(&barrier);
        if (rc == PTHREAD_BARRIER_SERIAL_THREAD)
            serial++;
        else
            assert(rc == 0);
    }
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    pthread_barrier_destroy(&barrier);
    assert(serial == 2);
    return 0;
}
