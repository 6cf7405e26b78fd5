// Two threads increment in separate atomic loads and stores, three times each: every sum from 2 to 6, but never 1.
// expect: default=safe overflow=safe
// final-states: 5

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *increment(void *unused)
{
    (void)unused;
    for (int i = 0; i < 3; i++)
        atomic_store(&counter, atomic_load(&counter) + 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, increment, NULL);
    pthread_create(&b, NULL, increment, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter >= 2 && counter <= 6);
    return 0;
}
