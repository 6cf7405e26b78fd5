// A thread registers a function with atexit after main has left by pthread_exit.
// expect: assert=unknown

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_t first;

static void at_the_end(void)
{
    assert(0);
}

static void *worker(void *arg)
{
    pthread_join(first, NULL);
    atexit(at_the_end);
    return arg;
}

int main(void)
{
    pthread_t thread;
    first = pthread_self();
    pthread_create(&thread, NULL, worker, NULL);
    pthread_exit(NULL);
}
