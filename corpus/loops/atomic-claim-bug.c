// Two threads claim a cell of an array whose size is an input, of which the second one overwrites
// what is there.
// expect: assert=unsafe
// loops: by inputs
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

static _Atomic int *cells;
static int at, won_1, won_2;

static int claims(int who) {
    int free = 0;
    return atomic_compare_exchange_strong(&cells[at], &free, who);
}

static void *first(void *arg) {
    won_1 = claims(1);
    return arg;
}

static void *second(void *arg) {
    won_2 = !atomic_exchange(&cells[at], 2);
    return arg;
}

int main(void) {
    int size = __VERIFIER_nondet_int();
    __VERIFIER_assume(size > 0 && size <= 1000);
    at = __VERIFIER_nondet_int();
    __VERIFIER_assume(at >= 0 && at < size);
    cells = calloc(size, sizeof *cells);
    if (!cells) return 0;
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(won_1 + won_2 == 1); //~ assert
    assert(cells[at] == (won_1 ? 1 : 2)); //~ assert
    return 0;
}
