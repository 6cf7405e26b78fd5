// Where main has left by pthread_exit, the last thread runs what atexit has registered: not followed yet.
// expect: assert=unknown

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int value;

static void at_the_end(void)
{
    assert(value == 0);
}

static void *worker(void *arg)
{
    value = 1;
    return arg;
}

int main(void)
{
    pthread_t thread;
    atexit(at_the_end);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_exit(NULL);
}
