// Attributes of mutexes keep what they are told.
// expect: default=safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t mutex;

int main(void) {
    pthread_mutexattr_t attributes;
    int value;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
    assert(pthread_mutexattr_settype(&attributes, 77) == EINVAL);
    pthread_mutexattr_gettype(&attributes, &value);
    assert(value == PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutexattr_getpshared(&attributes, &value);
    assert(value == PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_getprotocol(&attributes, &value);
    assert(value == PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(&mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
    pthread_mutex_lock(&mutex);
    assert(pthread_mutex_lock(&mutex) == EDEADLK);
    pthread_mutex_unlock(&mutex);
    return 0;
}
