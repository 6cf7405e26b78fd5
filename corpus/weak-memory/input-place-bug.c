// Where a store goes is an input. Without a fence after it, it may wait while its thread goes on: it must not
// be made at once at all places that it could be at.
// expect: assert=safe
// inputs: too many
// tso: assert=unsafe
// pso: assert=unsafe
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
    unsigned mine = atomic_load_explicit(&flag, memory_order_relaxed);
    pthread_join(thread, 0);
    assert(seen == input || mine == 1); //~ assert
    return 0;
}
