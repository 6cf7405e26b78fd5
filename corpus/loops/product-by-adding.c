// One thread multiplies, the other adds as often: both have the product.
// expect: assert=safe
// loops: by inputs
#include <assert.h>
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);

static unsigned a, b, x, y;

static void *adds(void *arg) {
    for (unsigned i = 0; i < b; i++)
        x += a;
    return arg;
}

static void *multiplies(void *arg) {
    y = a * b;
    return arg;
}

int main(void) {
    pthread_t one, two;
    a = __VERIFIER_nondet_uint();
    b = __VERIFIER_nondet_uint();
    pthread_create(&one, 0, adds, 0);
    pthread_create(&two, 0, multiplies, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(x == y);
    return 0;
}
