// A barrier for one thread lets it through at once, as the serial thread.
// expect: default=safe overflow=safe leak=safe
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;

int main(void) {
    unsigned workers = 1;
    pthread_barrier_init(&barrier, NULL, workers);
    int rc = pthread_barrier_wait(&barrier);
    assert(rc == PTHREAD_BARRIER_SERIAL_THREAD);
    pthread_barrier_destroy(&barrier);
    return 0;
}
