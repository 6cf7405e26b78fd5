// Under a lock the maximum of the inputs remains.
// expect: assert=safe race=safe
// inputs: too many

#include <assert.h>
#include <pthread.h>

#include "threadproof.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int maximum;

static void *raise_to(void *arg)
{
    int value = *(int *)arg;
    pthread_mutex_lock(&lock);
    if (value > maximum)
        maximum = value;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t thread;
    int a = tp_nondet_int(), b = tp_nondet_int();
    pthread_create(&thread, 0, raise_to, &a);
    raise_to(&b);
    pthread_join(thread, 0);
    assert(maximum >= a && maximum >= b);
    return 0;
}
