// One to three threads, as chance decides, count themselves.
// expect: default=safe
// final-states: 3

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "threadproof.h"

static atomic_int arrived;

static void *arrive(void *unused)
{
    (void)unused;
    atomic_fetch_add(&arrived, 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    int count = tp_nondet_int();
    tp_assume(count >= 1 && count <= 3);
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, arrive, NULL);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    assert(arrived == count);
    return 0;
}
