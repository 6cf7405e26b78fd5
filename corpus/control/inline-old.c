// Functions that are only ever inline, as in C before C99, where that defines them.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

inline void increment(void)
{
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
}

inline int nondet_digit(void)
{
    return 7;
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
    assert(counter == 2 && nondet_digit() == 7);
    return 0;
}
