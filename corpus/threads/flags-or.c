// Three threads set a bit each of an atomic mask: always all bits.
// expect: default=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_uint mask;

static void *set(void *arg)
{
    atomic_fetch_or(&mask, 1u << (uintptr_t)arg);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (uintptr_t i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, set, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(mask == 7);
    return 0;
}
