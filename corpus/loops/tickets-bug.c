// A thread that has drawn a ticket does not wait if none was called yet.
// expect: assert=unsafe
// loops: by inputs
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static unsigned first_ticket, next, called;
static int inside;

static void *customer(void *arg) {
    while (__VERIFIER_nondet_int()) {
        __VERIFIER_atomic_begin();
        unsigned mine = next++;
        __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(called == mine || called == first_ticket);
        __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin();
        inside++;
        assert(inside == 1); //~ assert
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
    first_ticket = next = called = (unsigned)__VERIFIER_nondet_int();
    pthread_create(&first, 0, customer, 0);
    pthread_create(&second, 0, customer, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
