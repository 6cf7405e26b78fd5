// A thread that draws a ticket waits until it is called: two threads draw as often as inputs say, one at a time inside.
// expect: assert=safe
// loops: by inputs
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static unsigned next, called;
static int inside;

static void *customer(void *arg) {
    while (__VERIFIER_nondet_int()) {
        __VERIFIER_atomic_begin();
        unsigned mine = next++;
        __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(called == mine);
        __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin();
        inside++;
        assert(inside == 1);
        __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin();
        inside--;
        called++;
        __VERIFIER_atomic_end();
    }
    return arg;
}

int main(void) {
    pthread_t first, second;
    next = called = (unsigned)__VERIFIER_nondet_int();
    pthread_create(&first, 0, customer, 0);
    pthread_create(&second, 0, customer, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
