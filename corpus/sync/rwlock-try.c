// While one thread reads, tryrdlock succeeds and trywrlock reports EBUSY.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *visitor(void *arg) {
    (void)arg;
    int rc = pthread_rwlock_trywrlock(&lock);
    assert(rc == EBUSY);
    rc = pthread_rwlock_tryrdlock(&lock);
    assert(rc == 0);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

static void *loner(void *arg) {
    (void)arg;
    int rc = pthread_rwlock_tryrdlock(&lock);
    assert(rc == EBUSY);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_rwlock_rdlock(&lock);
    pthread_create(&t, NULL, visitor, NULL);
    pthread_join(t, NULL);
    pthread_rwlock_unlock(&lock);

    pthread_rwlock_wrlock(&lock);
    pthread_create(&t, NULL, loner, NULL);
    pthread_join(t, NULL);
    pthread_rwlock_unlock(&lock);
    return 0;
}
