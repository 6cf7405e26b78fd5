// The bound is one less than a multiple of four.
// expect: assert=unsafe
// loops: by inputs
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);

static unsigned int n, x, y, step;

static void *one(void *arg) {
    for (unsigned int i = 0; i < 4 * n; i++)
        x = 3 * x + step;
    return arg;
}

static void *four(void *arg) {
    unsigned int i = 0;
    while (i + 4 < 4 * n) {
        y = 3 * y + step;
        i++;
        y = 3 * y + step;
        i++;
        y = 3 * y + step;
        i++;
        y = 3 * y + step;
        i++;
    }
    return arg;
}

int main(void) {
    n = (unsigned int)__VERIFIER_nondet_int();
    step = (unsigned int)__VERIFIER_nondet_int();
    __VERIFIER_assume(n < 1u << 30);
    pthread_t t[2];
    pthread_create(&t[0], 0, one, 0);
    pthread_create(&t[1], 0, four, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(x == y);
    return 0;
}
