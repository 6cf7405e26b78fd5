// A lock that prefers writers must not be read-locked twice: a writer that waits in between blocks both.
// expect: lock-misuse=unsafe
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t lock;
int value;

static void *write_value(void *argument) {
    pthread_rwlock_wrlock(&lock);
    value = 1;
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&lock, &attributes);
    pthread_t writer;
    pthread_create(&writer, 0, write_value, 0);
    pthread_rwlock_rdlock(&lock);
    int before = value;
    pthread_rwlock_rdlock(&lock); //~ lock-misuse
    assert(value == before);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_join(writer, 0);
    return 0;
}
