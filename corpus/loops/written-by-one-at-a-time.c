// Two writers and two readers under a readers-writer lock, each as often as an input says: the two
// halves of a record are always alike for a reader.
// expect: assert=safe
// loops: by inputs
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static int first, second;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *write_both(void *arg) {
    int times = __VERIFIER_nondet_int();
    for (int i = 0; i < times; i++) {
        pthread_rwlock_wrlock(&lock);
        first++;
        second++;
        pthread_rwlock_unlock(&lock);
    }
    return arg;
}

static void *read_both(void *arg) {
    int times = __VERIFIER_nondet_int();
    for (int i = 0; i < times; i++) {
        pthread_rwlock_rdlock(&lock);
        assert(first == second);
        pthread_rwlock_unlock(&lock);
    }
    return arg;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, i % 2 ? read_both : write_both, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    return 0;
}
