// Twenty decisions by inputs that nothing depends on afterwards.
// expect: assert=safe race=safe
// inputs: too many

#include <assert.h>
#include <pthread.h>

#include "threadproof.h"

static _Atomic int turns;

static void *decide(void *arg)
{
    for (int i = 0; i < 20; i++) {
        if (tp_nondet_int() > i)
            turns++;
        else
            turns++;
    }
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, decide, 0);
    int before = turns;
    int after = turns;
    assert(before <= after);
    pthread_join(thread, 0);
    assert(turns == 20);
    return 0;
}
