// A reader-writer lock is released by a thread that failed to get it.
// expect: lock-misuse=unsafe assert=safe race=safe deadlock=safe memory=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *visitor(void *arg) {
    (void)arg;
    pthread_rwlock_trywrlock(&lock);
    pthread_rwlock_unlock(&lock); //~ lock-misuse
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, visitor, NULL);
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
