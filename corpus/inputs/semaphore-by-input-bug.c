// A semaphore with an input for its start lets two threads in.
// expect: assert=unsafe
// inputs: too many

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#include "threadproof.h"

static sem_t permits;
static _Atomic int inside;

static void *enter(void *arg)
{
    sem_wait(&permits);
    assert(inside++ == 0); //~ assert
    inside--;
    sem_post(&permits);
    return arg;
}

int main(void)
{
    pthread_t thread;
    unsigned n = tp_nondet_uint();
    tp_assume(n * 3 > 2 && n < 100);
    sem_init(&permits, 0, n);
    pthread_create(&thread, 0, enter, 0);
    enter(0);
    pthread_join(thread, 0);
    return 0;
}
