// Two threads count in the same cell of an array whose size is an input: each increment is one
// step, so that none is lost.
// expect: assert=safe
// loops: by inputs
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

static _Atomic int *cells;
static int at, n;

static void *first(void *arg) {
    for (int i = 0; i < n; i++) atomic_fetch_add(&cells[at], 1);
    return arg;
}

static void *second(void *arg) {
    for (int i = 0; i < n; i++) atomic_fetch_sub(&cells[at], 1);
    return arg;
}

int main(void) {
    int size = __VERIFIER_nondet_int();
    __VERIFIER_assume(size > 0 && size <= 1000);
    n = __VERIFIER_nondet_int();
    at = __VERIFIER_nondet_int();
    __VERIFIER_assume(at >= 0 && at < size);
    cells = calloc(size, sizeof *cells);
    if (!cells) return 0;
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(cells[at] == 0);
    return 0;
}
