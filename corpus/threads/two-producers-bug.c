// The producers raise the count before the item is stored: main may find an empty slot.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int items[2];
static atomic_int count;

static void *produce(void *arg)
{
    int slot = atomic_fetch_add(&count, 1);
    atomic_store(&items[slot], (int)(intptr_t)arg);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, produce, (void *)1);
    pthread_create(&b, NULL, produce, (void *)2);
    int ready = atomic_load(&count);
    for (int i = 0; i < ready; i++)
        assert(atomic_load(&items[i]) != 0); //~ assert
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
