// A function that is only ever inline, as in C before C99, where that defines it: it does not lock.
// expect: race=unsafe assert=unsafe deadlock=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int counter;

inline void increment(void)
{
    int old = counter; //~ race
    counter = old + 1; //~ race
}

static void *worker(void *unused)
{
    (void)unused;
    increment();
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    increment();
    pthread_join(thread, NULL);
    assert(counter == 2); //~ assert
    return 0;
}
