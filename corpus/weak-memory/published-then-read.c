// A thread publishes memory, writes to it and reads a flag: all but the reading may be delayed.
// expect: assert=safe
// tso: assert=unsafe
// pso: assert=unsafe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(atomic_int *) box;
atomic_int flag;
int r0, r1 = 1;

void *producer(void *unused) {
    atomic_int *made = calloc(1, sizeof *made);
    atomic_store_explicit(&box, made, memory_order_release);
    atomic_store_explicit(made, 1, memory_order_relaxed);
    r0 = atomic_load_explicit(&flag, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, producer, 0);
    atomic_int *found = atomic_load_explicit(&box, memory_order_acquire);
    if (found) {
        atomic_store(&flag, 1);
        r1 = atomic_load_explicit(found, memory_order_relaxed);
    }
    pthread_join(t, 0);
    assert(!(r0 == 0 && r1 == 0)); //~ assert
    return 0;
}
