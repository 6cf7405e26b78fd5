// Two transfers check the balance before they take from it.
// expect: assert=unsafe
// inputs: too many

#include <assert.h>
#include <pthread.h>

#include "threadproof.h"

static _Atomic int balance;

static void *transfer(void *arg)
{
    int amount = tp_nondet_int();
    tp_assume(amount > 0);
    if (balance >= amount)
        balance -= amount;
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
    assert(balance >= 0); //~ assert
    return 0;
}
