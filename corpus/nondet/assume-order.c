// An assumption on shared state keeps only the interleavings in which the flag was set first.
// expect: default=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "threadproof.h"

static atomic_int ready;
static int data;

static void *consumer(void *unused)
{
    (void)unused;
    tp_assume(atomic_load(&ready) == 1);
    assert(data == 7);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, consumer, NULL);
    data = 7;
    atomic_store(&ready, 1);
    pthread_join(thread, NULL);
    return 0;
}
