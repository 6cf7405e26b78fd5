// An error-checking mutex reports a second lock by its owner and an unlock by a stranger.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;

static void *stranger(void *arg) {
    (void)arg;
    int rc = pthread_mutex_unlock(&lock);
    assert(rc == EPERM);
    rc = pthread_mutex_trylock(&lock);
    assert(rc == EBUSY);
    return NULL;
}

int main(void) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &attr);
    pthread_mutexattr_destroy(&attr);

    int rc = pthread_mutex_lock(&lock);
    assert(rc == 0);
    rc = pthread_mutex_lock(&lock);
    assert(rc == EDEADLK);

    pthread_t t;
    pthread_create(&t, NULL, stranger, NULL);
    pthread_join(t, NULL);

    rc = pthread_mutex_unlock(&lock);
    assert(rc == 0);
    rc = pthread_mutex_unlock(&lock);
    assert(rc == EPERM);
    return 0;
}
