// A test and a plain store instead of compare-and-swap: a smaller value may come last.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

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
    assert(maximum == 3); //~ assert
    return 0;
}
