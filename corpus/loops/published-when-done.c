// A sum is published by a flag when it is complete.
// expect: assert=safe
// loops: by inputs
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);

static int n, sum;
static _Atomic int ready;

static void *first(void *arg) {
    for (int i = 0; i < n; i++)
        sum++;
    ready = 1;
    return arg;
}

static void *second(void *arg) {
    if (ready)
        assert(sum == n);
    return arg;
}

int main(void) {
    pthread_t threads[2];
    n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0);
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
