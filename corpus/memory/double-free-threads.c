// Two threads take the shared buffer with one atomic exchange: exactly one of them frees it.
// expect: default=safe leak=safe
// final-states: 1

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) buffer;

static void *cleaner(void *unused)
{
    (void)unused;
    int *mine = atomic_exchange(&buffer, NULL);
    free(mine);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    atomic_store(&buffer, malloc(sizeof(int)));
    pthread_create(&first, NULL, cleaner, NULL);
    pthread_create(&second, NULL, cleaner, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
