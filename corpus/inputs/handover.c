// A condition variable hands an input to the thread that waits for it.
// expect: assert=safe deadlock=safe race=safe
// inputs: too many

#include <assert.h>
#include <pthread.h>

#include "threadproof.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static long value;

static void *receive(void *arg)
{
    pthread_mutex_lock(&lock);
    while (value == 0)
        pthread_cond_wait(&ready, &lock);
    assert(value > 0);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, receive, 0);
    long input = tp_nondet_long();
    tp_assume(input > 0);
    pthread_mutex_lock(&lock);
    value = input;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
