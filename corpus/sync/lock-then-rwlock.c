// Memory that was a mutex, and is unlocked, serves as a readers-writer lock and then as a spin lock.
// expect: default=safe
#include <assert.h>
#include <pthread.h>

union {
    pthread_mutex_t mutex;
    pthread_rwlock_t rwlock;
    pthread_spinlock_t spin;
} lock;
int count;

static void *add(void *argument) {
    pthread_mutex_lock(&lock.mutex);
    count++;
    pthread_mutex_unlock(&lock.mutex);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, add, 0);
    pthread_create(&second, 0, add, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    pthread_rwlock_wrlock(&lock.rwlock);
    count++;
    pthread_rwlock_unlock(&lock.rwlock);
    pthread_spin_lock(&lock.spin);
    count++;
    pthread_spin_unlock(&lock.spin);
    add(0);
    assert(count == 5);
    return 0;
}
