// A test and a store in separate steps: any of the three values can be the one that remains.
// expect: default=safe
// final-states: 3

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int maximum;

static void *raise_to(void *arg)
{
    int value = (int)(intptr_t)arg;
    if (atomic_load(&maximum) < value)
        atomic_store(&maximum, value);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, raise_to, (void *)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(maximum >= 1);
    return 0;
}
