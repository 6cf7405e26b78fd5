// A reader that finds something to do asks for the same lock to write, and waits for ever for itself.
// expect: deadlock=unsafe lock-misuse=unsafe default=unsafe assert=safe race=safe memory=safe
// assume: nothing
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int entries;

static void *worker(void *arg) {
    pthread_rwlock_rdlock(&lock);
    if (entries == 0) {
        pthread_rwlock_wrlock(&lock); //~ deadlock lock-misuse
        entries++;
        pthread_rwlock_unlock(&lock);
    }
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(entries == 0);
    return 0;
}
