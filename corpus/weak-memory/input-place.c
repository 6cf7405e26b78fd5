// Where a store goes is an input. The place is decided when the store is made, and both threads
// agree on it; with a fence on each side one of them sees the other's store.
// expect: assert=safe
// inputs: too many
// tso: assert=safe
// pso: assert=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "threadproof.h"

atomic_uint cells[3], flag;
unsigned place, seen;

void *other(void *unused) {
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    seen = atomic_load_explicit(&cells[place], memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t thread;
    unsigned input = tp_nondet_uint();
    place = tp_nondet_uint();
    if (place >= 3)
        return 0;
    pthread_create(&thread, 0, other, 0);
    atomic_store_explicit(&cells[place], input, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    unsigned mine = atomic_load_explicit(&flag, memory_order_relaxed);
    pthread_join(thread, 0);
    assert(seen == input || mine == 1);
    return 0;
}
