// An odd number becomes even after three additions.
// expect: assert=unsafe
// loops: by inputs
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);

static unsigned n;
static unsigned even, odd = 1;

static void *first(void *arg) {
    for (unsigned i = 0; i < n; i++)
        even += 2;
    return arg;
}

static void *second(void *arg) {
    while (__VERIFIER_nondet_int())
        odd += 3;
    return arg;
}

int main(void) {
    pthread_t threads[2];
    n = __VERIFIER_nondet_uint();
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(even != odd); //~ assert
    return 0;
}
