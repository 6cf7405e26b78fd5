// Three threads exchange inputs through one cell: nothing is lost.
// expect: assert=safe
// inputs: too many

#include <assert.h>
#include <pthread.h>

#include "threadproof.h"

static _Atomic unsigned cell;
static unsigned results[2];

static void *exchange(void *arg)
{
    unsigned *mine = arg;
    *mine = __c11_atomic_exchange(&cell, *mine, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    unsigned start = tp_nondet_uint(), total;
    results[0] = tp_nondet_uint();
    results[1] = tp_nondet_uint();
    cell = start;
    total = start + results[0] + results[1];
    pthread_create(&a, 0, exchange, &results[0]);
    pthread_create(&b, 0, exchange, &results[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(cell + results[0] + results[1] == total);
    return 0;
}
