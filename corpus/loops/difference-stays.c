// One thread adds to two counters, another takes from both, each by an amount that is an input: the difference stays.
// expect: assert=safe
// loops: by inputs
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static unsigned left, right, difference;

static void *adds(void *arg) {
    while (__VERIFIER_nondet_int()) {
        unsigned amount = (unsigned)__VERIFIER_nondet_int();
        __VERIFIER_atomic_begin();
        left += amount;
        right += amount;
        __VERIFIER_atomic_end();
    }
    return arg;
}

static void *takes(void *arg) {
    while (__VERIFIER_nondet_int()) {
        unsigned amount = (unsigned)__VERIFIER_nondet_int();
        __VERIFIER_atomic_begin();
        left -= amount;
        right -= amount;
        __VERIFIER_atomic_end();
    }
    return arg;
}

int main(void) {
    pthread_t first, second;
    left = (unsigned)__VERIFIER_nondet_int();
    right = (unsigned)__VERIFIER_nondet_int();
    difference = left - right;
    pthread_create(&first, 0, adds, 0);
    pthread_create(&second, 0, takes, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(left - right == difference);
    return 0;
}
