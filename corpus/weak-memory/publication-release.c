// A thread makes memory and publishes it by a release.
// expect: assert=safe
// tso: assert=safe
// pso: assert=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) box;

void *producer(void *unused) {
    int *made = malloc(sizeof *made);
    *made = 1;
    atomic_store_explicit(&box, made, memory_order_release);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, producer, 0);
    int *found = atomic_load_explicit(&box, memory_order_relaxed);
    assert(!found || *found == 1);
    pthread_join(t, 0);
    return 0;
}
