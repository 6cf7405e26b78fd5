// A timed wait ends with the condition true or with ETIMEDOUT.
// expect: default=safe overflow=safe leak=safe
// final-states: 2
// (the waiter saw the flag or gave up)
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static const struct timespec deadline = {.tv_sec = 1};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool ready, seen;

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
    assert(ready || rc == ETIMEDOUT);
    seen = ready;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
