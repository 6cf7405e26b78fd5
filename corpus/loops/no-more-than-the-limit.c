// Three threads count as long as a limit allows: the limit is never passed.
// expect: assert=safe
// loops: by inputs
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int limit, count;

static void *counter(void *arg) {
    while (__VERIFIER_nondet_int()) {
        __VERIFIER_atomic_begin();
        if (count < limit)
            count++;
        __VERIFIER_atomic_end();
    }
    return arg;
}

static void *last(void *arg) {
    while (__VERIFIER_nondet_int()) {
        __VERIFIER_atomic_begin();
        int more = count < limit;
        if (more)
            count++;
        __VERIFIER_atomic_end();
    }
    return arg;
}

int main(void) {
    pthread_t threads[3];
    limit = __VERIFIER_nondet_int();
    __VERIFIER_assume(limit >= 0);
    pthread_create(&threads[0], 0, counter, 0);
    pthread_create(&threads[1], 0, counter, 0);
    pthread_create(&threads[2], 0, last, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(count <= limit);
    return 0;
}
