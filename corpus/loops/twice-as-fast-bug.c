// A counter goes up by four in place of three.
// expect: assert=unsafe
// loops: by inputs
#include <assert.h>
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);

static unsigned n, a;
static unsigned b;

static void *first(void *arg) {
    for (unsigned i = 0; i < n; i++)
        a += 2;
    return arg;
}

static void *second(void *arg) {
    for (unsigned i = 0; i < n; i++)
        b += 4;
    return arg;
}

int main(void) {
    pthread_t threads[2];
    n = __VERIFIER_nondet_uint();
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(3 * a == 2 * b); //~ assert
    return 0;
}
