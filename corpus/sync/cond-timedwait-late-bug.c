// A timed wait that is over waits for the mutex while the condition comes true: both happen.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static const struct timespec deadline = {.tv_sec = 1};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool ready;

static void *setter(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    ready = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, setter, NULL);
    pthread_mutex_lock(&lock);
    int rc = 0;
    while (!ready && rc == 0)
        rc = pthread_cond_timedwait(&changed, &lock, &deadline);
    if (rc == ETIMEDOUT)
        assert(!ready); //~ assert
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
