// A thread ends with a robust mutex locked: the next owner is told, repairs what it protects, and goes on.
// expect: default=safe
// final-states: 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int amount = 10, copy = 10, repaired;

static void *spend(void *argument) {
    pthread_mutex_lock(&mutex);
    amount = 7;
    if (argument) pthread_exit(0);
    copy = 7;
    pthread_mutex_unlock(&mutex);
    return 0;
}

static void look(void) {
    int code = pthread_mutex_lock(&mutex);
    if (code == EOWNERDEAD) {
        copy = amount;
        repaired++;
        assert(pthread_mutex_consistent(&mutex) == 0);
    } else {
        assert(code == 0);
    }
    assert(copy == amount);
    assert(pthread_mutex_unlock(&mutex) == 0);
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    int robust;
    assert(pthread_mutexattr_getrobust(&attributes, &robust) == 0 && robust == PTHREAD_MUTEX_STALLED);
    assert(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0);
    pthread_mutex_init(&mutex, &attributes);
    pthread_t thread;
    pthread_create(&thread, 0, spend, &amount);
    look();
    pthread_join(thread, 0);
    look();
    assert(repaired == 1);
    assert(pthread_mutex_destroy(&mutex) == 0);
    return 0;
}
