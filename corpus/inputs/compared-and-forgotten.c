// What is known of an input by comparison with another still counts when the
// other one is forgotten: one that was smaller than another is not the
// largest number there is.
// expect: assert=safe
// inputs: too many

#include <assert.h>
#include <limits.h>
#include <pthread.h>

#include "threadproof.h"

static int kept;

static void *look(void *arg)
{
    assert(kept != INT_MAX);
    return arg;
}

int main(void)
{
    int first = tp_nondet_int();
    {
        int second = tp_nondet_int();
        if (first < second)
            kept = first;
    }
    pthread_t thread;
    pthread_create(&thread, 0, look, 0);
    pthread_join(thread, 0);
    return 0;
}
