// A second lock of an error-checking mutex that is believed to work.
// expect: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

int main(void) {
    pthread_mutex_lock(&lock);
    int rc = pthread_mutex_lock(&lock); // EDEADLK
    assert(rc == 0);                    //~ assert
    pthread_mutex_unlock(&lock);
    return 0;
}
