// A reader that finds something to do releases the lock before it asks for it to write, and looks again.
// expect: default=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int entries;

static void *worker(void *arg) {
    pthread_rwlock_rdlock(&lock);
    int missing = entries == 0;
    pthread_rwlock_unlock(&lock);
    if (missing) {
        pthread_rwlock_wrlock(&lock);
        if (entries == 0) entries++;
        pthread_rwlock_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(entries == 1);
    return 0;
}
