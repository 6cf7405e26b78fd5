// Chance decides which account is locked first: with the other thread's order this can deadlock.
// expect: deadlock=unsafe assert=safe race=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <pthread.h>
#include <stdbool.h>

#include "threadproof.h"

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
static int transfers;

static void transfer(pthread_mutex_t *from, pthread_mutex_t *to)
{
    pthread_mutex_lock(from);
    pthread_mutex_lock(to);
    transfers++;
    pthread_mutex_unlock(to);
    pthread_mutex_unlock(from);
}

static void *worker(void *unused)
{
    (void)unused;
    bool backwards = tp_nondet_bool();
    transfer(backwards ? &right : &left, backwards ? &left : &right);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    transfer(&left, &right);
    pthread_join(thread, NULL);
    return 0;
}
