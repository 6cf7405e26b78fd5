// A thread counts in a cell of a large array, as often as an input says.
// expect: assert=safe memory=safe
// loops: by inputs
#include <assert.h>
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int condition);

#define CELLS 1000

static unsigned cells[CELLS], n, i;

static void *counts(void *arg) {
    for (unsigned k = 0; k < n; k++)
        cells[i]++;
    return arg;
}

int main(void) {
    pthread_t one;
    n = __VERIFIER_nondet_uint();
    i = __VERIFIER_nondet_uint();
    __VERIFIER_assume(i < CELLS);
    pthread_create(&one, 0, counts, 0);
    pthread_join(one, 0);
    assert(cells[i] == n);
    return 0;
}
