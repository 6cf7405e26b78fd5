// A mutex that is not robust stays locked when its owner ends: the one that tries it finds it busy, the one that locks it waits for ever.
// expect: deadlock=unsafe default=unsafe assert=safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t robust, stalled;

static void *leave(void *argument) {
    pthread_mutex_lock(&robust);
    pthread_mutex_lock(&stalled);
    return 0;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutex_init(&stalled, &attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&robust, &attributes);
    pthread_t thread;
    pthread_create(&thread, 0, leave, 0);
    pthread_join(thread, 0);
    assert(pthread_mutex_trylock(&robust) == EOWNERDEAD);
    assert(pthread_mutex_trylock(&robust) == EBUSY);
    assert(pthread_mutex_trylock(&stalled) == EBUSY);
    pthread_mutex_lock(&stalled); //~ deadlock
    return 0;
}
