// Two transfers by compare-and-exchange never overdraw.
// expect: assert=safe
// inputs: too many

#include <assert.h>
#include <pthread.h>

#include "threadproof.h"

static _Atomic int balance;

static void *transfer(void *arg)
{
    int amount = tp_nondet_int(), seen = balance;
    tp_assume(amount > 0);
    if (seen >= amount)
        __c11_atomic_compare_exchange_strong(&balance, &seen, seen - amount, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    int start = tp_nondet_int();
    tp_assume(start >= 0);
    balance = start;
    pthread_create(&a, 0, transfer, 0);
    pthread_create(&b, 0, transfer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(balance >= 0 && balance <= start);
    return 0;
}
