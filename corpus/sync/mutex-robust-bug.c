// A robust mutex is unlocked by its new owner without a repair: nobody can lock it any more.
// expect: assert=unsafe default=unsafe race=safe deadlock=safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;

static void *leave(void *argument) {
    pthread_mutex_lock(&mutex);
    return 0;
}

static void *use(void *argument) {
    int code = pthread_mutex_lock(&mutex);
    assert(code == 0 || code == EOWNERDEAD); //~ assert
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_t threads[3];
    pthread_create(&threads[0], 0, leave, 0);
    for (int i = 1; i < 3; i++) pthread_create(&threads[i], 0, use, 0);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
    return 0;
}
