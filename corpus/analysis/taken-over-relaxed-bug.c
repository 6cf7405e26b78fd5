// A new object is taken over by a load that does not acquire.
// expect: race=unsafe
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) shared;

static void *run(void *arg) {
    int *item = atomic_load_explicit(&shared, memory_order_relaxed);
    if (item) *item = 1; //~ race
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    int *item = malloc(sizeof *item);
    *item = 2; //~ race
    atomic_store_explicit(&shared, item, memory_order_release);
    pthread_join(t, NULL);
    return 0;
}
