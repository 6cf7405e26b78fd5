// An input passed under a lock arrives or has not been sent yet.
// expect: assert=safe race=safe
// inputs: too many

#include <assert.h>
#include <pthread.h>

#include "threadproof.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int full, box, sent;

static void *send(void *arg)
{
    pthread_mutex_lock(&lock);
    box = sent;
    full = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t thread;
    sent = tp_nondet_int();
    pthread_create(&thread, 0, send, 0);
    pthread_mutex_lock(&lock);
    int ready = full, received = box;
    pthread_mutex_unlock(&lock);
    assert(!ready || received == sent);
    pthread_join(thread, 0);
    return 0;
}
