// A mutex that is held is used as a readers-writer lock.
// expect: lock-misuse=unsafe
#include <pthread.h>

union {
    pthread_mutex_t mutex;
    pthread_rwlock_t rwlock;
} lock;

int main(void) {
    pthread_mutex_lock(&lock.mutex);
    pthread_rwlock_rdlock(&lock.rwlock); //~ lock-misuse
    pthread_rwlock_unlock(&lock.rwlock);
    pthread_mutex_unlock(&lock.mutex);
    return 0;
}
