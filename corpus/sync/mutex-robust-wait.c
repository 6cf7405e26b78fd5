// Threads wait on a condition and at its robust mutex, whose owner ends; each is told one way or the other, and nobody waits for ever.
// expect: default=safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int done, told;

static void *waiter(void *argument) {
    int code = pthread_mutex_lock(&mutex);
    while (code == 0 && !done) code = pthread_cond_wait(&ready, &mutex);
    if (code == EOWNERDEAD) {
        told++;
        assert(pthread_mutex_consistent(&mutex) == 0);
        assert(pthread_mutex_consistent(&mutex) == EINVAL);
    }
    pthread_mutex_unlock(&mutex);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    return 0;
}

static void *leave(void *argument) {
    if (pthread_mutex_lock(&mutex)) return 0;
    done = 1;
    pthread_cond_signal(&ready);
    return 0;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_t first, second;
    pthread_create(&first, 0, waiter, 0);
    pthread_create(&second, 0, leave, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    int code = pthread_mutex_lock(&mutex);
    assert(told ? code == 0 : code == EOWNERDEAD);
    return 0;
}
