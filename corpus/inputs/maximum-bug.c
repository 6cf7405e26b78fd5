// Two threads raise a maximum without making read and write one step.
// expect: assert=unsafe
// inputs: too many

#include <assert.h>
#include <pthread.h>

#include "threadproof.h"

static _Atomic int maximum;

static void *raise_to(void *arg)
{
    int value = *(int *)arg;
    if (value > maximum)
        maximum = value;
    return arg;
}

int main(void)
{
    pthread_t thread;
    int a = tp_nondet_int(), b = tp_nondet_int();
    pthread_create(&thread, 0, raise_to, &a);
    raise_to(&b);
    pthread_join(thread, 0);
    assert(maximum >= a && maximum >= b); //~ assert
    return 0;
}
