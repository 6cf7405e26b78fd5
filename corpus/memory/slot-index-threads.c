// Test and claim are one compare-and-swap: only one thread gets the only slot.
// expect: default=safe
// final-states: 1

#include <pthread.h>
#include <stdatomic.h>

static atomic_int used;
static atomic_int slots[1];

static void *claim(void *unused)
{
    (void)unused;
    int slot = 0;
    if (atomic_compare_exchange_strong(&used, &slot, 1))
        atomic_store(&slots[slot], 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, claim, NULL);
    pthread_create(&b, NULL, claim, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
