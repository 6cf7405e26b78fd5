// As many threads as an input says, each adding its share.
// expect: assert=unsafe
// inputs: too many

#include <assert.h>
#include <pthread.h>

#include "threadproof.h"

static _Atomic unsigned sum;
static unsigned share;

static void *add(void *arg)
{
    sum += share;
    return arg;
}

int main(void)
{
    pthread_t threads[3];
    unsigned n = tp_nondet_uint();
    share = tp_nondet_uint();
    tp_assume(n <= 3);
    for (unsigned i = 0; i < n; i++)
        pthread_create(&threads[i], 0, add, 0);
    for (unsigned i = 0; i < n; i++)
        pthread_join(threads[i], 0);
    assert(sum != 333 || share != 111); //~ assert
    return 0;
}
