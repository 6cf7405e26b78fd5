// A thread writes to memory that it has published: the store may come late.
// expect: assert=unsafe
// tso: assert=unsafe
// pso: assert=unsafe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) box;

void *producer(void *unused) {
    int *made = calloc(1, sizeof *made);
    atomic_store_explicit(&box, made, memory_order_release);
    *made = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, producer, 0);
    int *found = atomic_load_explicit(&box, memory_order_acquire);
    assert(!found || *found == 1); //~ assert
    pthread_join(t, 0);
    return 0;
}
