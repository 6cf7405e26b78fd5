// A thread that goes from one atomic section to the next for ever does not keep another from failing.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int last;

static void *worker(void *arg) {
    assert(arg != 0); //~ assert
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    for (;;) {
        __VERIFIER_atomic_begin();
        last = __VERIFIER_nondet_bool();
        __VERIFIER_atomic_end();
    }
}
