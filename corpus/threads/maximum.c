// Three threads raise a shared maximum by compare-and-swap loops: the largest value always remains.
// expect: default=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int maximum;

static void *raise_to(void *arg)
{
    int value = (int)(intptr_t)arg;
    int current = atomic_load(&maximum);
    while (current < value && !atomic_compare_exchange_strong(&maximum, &current, value))
        ;
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, raise_to, (void *)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(maximum == 3);
    return 0;
}
