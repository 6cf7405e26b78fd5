// Two threads increment an atomic counter once each: the sum is 2.
// expect: default=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *increment(void *unused)
{
    (void)unused;
    counter++;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, increment, NULL);
    pthread_create(&b, NULL, increment, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
