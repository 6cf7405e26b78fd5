// A writer asks for the same lock to read: it waits for ever for itself, or is told so and unlocks twice.
// expect: deadlock=unsafe lock-misuse=unsafe default=unsafe assert=unknown
// assume: nothing
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int entries;

static int count(void) {
    pthread_rwlock_rdlock(&lock); //~ deadlock lock-misuse
    int all = entries;
    pthread_rwlock_unlock(&lock);
    return all;
}

static void *worker(void *arg) {
    pthread_rwlock_wrlock(&lock);
    entries++;
    assert(count() > 0);
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    return 0;
}
