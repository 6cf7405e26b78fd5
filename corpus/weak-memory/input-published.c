// An input of any value is stored, then a flag: who sees the flag sees the input, unless the
// stores overtake each other. The buffer holds a value that is not known.
// expect: assert=safe
// inputs: too many
// tso: assert=safe
// pso: assert=unsafe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "threadproof.h"

atomic_uint data, flag;
unsigned input;

void *producer(void *unused) {
    atomic_store_explicit(&data, input * 2 + 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t thread;
    input = tp_nondet_uint();
    pthread_create(&thread, 0, producer, 0);
    if (atomic_load_explicit(&flag, memory_order_relaxed) == 1) {
        unsigned seen = atomic_load_explicit(&data, memory_order_relaxed);
        assert(seen == input * 2 + 1); //~ assert
    }
    pthread_join(thread, 0);
    return 0;
}
