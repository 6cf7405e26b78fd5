// Two threads lock in an order that depends on an input.
// expect: deadlock=unsafe
// inputs: too many

#include <pthread.h>

#include "threadproof.h"

static pthread_mutex_t locks[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static unsigned seed;

static void *both(void *arg)
{
    int first = (seed + (arg != 0)) * 5 % 7 > 3;
    pthread_mutex_lock(&locks[first]);
    pthread_mutex_lock(&locks[!first]); //~ deadlock
    pthread_mutex_unlock(&locks[!first]);
    pthread_mutex_unlock(&locks[first]);
    return arg;
}

int main(void)
{
    pthread_t thread;
    seed = tp_nondet_uint();
    pthread_create(&thread, 0, both, 0);
    both(&thread);
    pthread_join(thread, 0); //~ deadlock
    return 0;
}
