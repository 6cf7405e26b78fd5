// A new object is handed over by a release that is acquired.
// expect: race=safe
// analysis: proves
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) shared;

static void *run(void *arg) {
    int *item = atomic_load_explicit(&shared, memory_order_acquire);
    if (item) *item = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    int *item = malloc(sizeof *item);
    *item = 2;
    atomic_store_explicit(&shared, item, memory_order_release);
    pthread_join(t, NULL);
    return 0;
}
