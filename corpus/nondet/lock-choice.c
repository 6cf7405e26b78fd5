// Chance decides the direction of a transfer, but the locks are always taken in one order.
// expect: default=safe overflow=safe
// final-states: 2

#include <pthread.h>
#include <stdbool.h>

#include "threadproof.h"

static pthread_mutex_t left_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right_lock = PTHREAD_MUTEX_INITIALIZER;
static int left = 5, right = 5;

static void transfer(bool backwards)
{
    pthread_mutex_lock(&left_lock);
    pthread_mutex_lock(&right_lock);
    left += backwards ? 1 : -1;
    right += backwards ? -1 : 1;
    pthread_mutex_unlock(&right_lock);
    pthread_mutex_unlock(&left_lock);
}

static void *worker(void *unused)
{
    (void)unused;
    transfer(tp_nondet_bool());
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    transfer(false);
    pthread_join(thread, NULL);
    return 0;
}
