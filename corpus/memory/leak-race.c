// Two threads install a lazily created object by compare-and-swap; the loser frees its own.
// expect: default=safe leak=safe

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) instance;

static void *get_instance(void *unused)
{
    (void)unused;
    if (atomic_load(&instance) == NULL) {
        int *fresh = malloc(sizeof *fresh);
        *fresh = 1;
        int *expected = NULL;
        if (!atomic_compare_exchange_strong(&instance, &expected, fresh))
            free(fresh);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, get_instance, NULL);
    pthread_create(&b, NULL, get_instance, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(atomic_load(&instance));
    return 0;
}
