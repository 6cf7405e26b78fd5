// Two threads test that a slot is free and then claim it: the second claim lands past the end of the array.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <pthread.h>
#include <stdatomic.h>

static atomic_int used;
static atomic_int slots[1];

static void *claim(void *unused)
{
    (void)unused;
    if (atomic_load(&used) < 1) {
        int slot = atomic_fetch_add(&used, 1);
        atomic_store(&slots[slot], 1); //~ memory
    }
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
