// A barrier is initialised for zero threads.
// expect: lock-misuse=unsafe assert=safe race=safe deadlock=safe memory=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>

static pthread_barrier_t barrier;

int main(void) {
    unsigned workers = 0;
    pthread_barrier_init(&barrier, NULL, workers); //~ lock-misuse
    return 0;
}
