// A server that reads requests for ever: every round reads new inputs, and is
// the same as the one before. The largest request is forgotten.
// expect: assert=unsafe
// inputs: too many

#include <assert.h>
#include <pthread.h>

#include "threadproof.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned largest, last;

static void *serve(void *arg)
{
    for (;;) {
        unsigned request = tp_nondet_uint();
        pthread_mutex_lock(&lock);
        last = request;
        if (request > largest) largest = request;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t server;
    pthread_create(&server, 0, serve, 0);
    for (;;) {
        pthread_mutex_lock(&lock);
        assert(largest <= last); //~ assert
        pthread_mutex_unlock(&lock);
    }
}
