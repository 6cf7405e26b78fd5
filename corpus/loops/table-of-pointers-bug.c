// A table of pointers in which one stands twice: what is counted depends on more than the index.
// expect: assert=unsafe memory=safe
// loops: by inputs
#include <assert.h>
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int condition);

static int a, b, c;
static int *table[3] = {&a, &b, &a};
static unsigned i, j, n;

static void *first(void *arg) {
    for (unsigned k = 0; k < n; k++)
        *table[i] = 1;
    return arg;
}

static void *second(void *arg) {
    for (unsigned k = 0; k < n; k++)
        *table[j] = 1;
    return arg;
}

int main(void) {
    pthread_t one, two;
    n = __VERIFIER_nondet_uint();
    i = __VERIFIER_nondet_uint();
    j = __VERIFIER_nondet_uint();
    __VERIFIER_assume(i < 3 && j < 3 && n > 0);
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    int sum = a + b + c;
    assert(sum == (i == j ? 1 : 2)); //~ assert
    return 0;
}
