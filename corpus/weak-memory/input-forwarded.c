// Store buffering with an input of any value: each thread reads its own store from its buffer,
// and both may miss the store of the other.
// expect: assert=safe
// inputs: too many
// tso: assert=unsafe
// pso: assert=unsafe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "threadproof.h"

atomic_uint x, y;
unsigned own, seen;

void *other(void *unused) {
    atomic_store_explicit(&y, 7, memory_order_relaxed);
    seen = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t thread;
    unsigned input = tp_nondet_uint();
    if (input == 0)
        return 0;
    pthread_create(&thread, 0, other, 0);
    atomic_store_explicit(&x, input, memory_order_relaxed);
    own = atomic_load_explicit(&x, memory_order_relaxed);
    unsigned mine = atomic_load_explicit(&y, memory_order_relaxed);
    pthread_join(thread, 0);
    assert(own == input && (seen == input || mine == 7)); //~ assert
    return 0;
}
