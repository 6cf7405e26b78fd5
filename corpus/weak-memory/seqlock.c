// A seqlock whose writer does not order its data with the sequence number.
// expect: assert=safe
// tso: assert=safe
// pso: assert=unsafe fences=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int sequence, a, b;

void *writer(void *unused) {
    atomic_store_explicit(&sequence, 1, memory_order_relaxed);
    atomic_store_explicit(&a, 1, memory_order_relaxed);
    atomic_store_explicit(&b, 1, memory_order_relaxed);
    atomic_store_explicit(&sequence, 2, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    int before = atomic_load_explicit(&sequence, memory_order_acquire);
    int first = atomic_load_explicit(&a, memory_order_acquire);
    int second = atomic_load_explicit(&b, memory_order_acquire);
    int after = atomic_load_explicit(&sequence, memory_order_relaxed);
    if (before == after && before % 2 == 0)
        assert(first == second); //~ assert
    pthread_join(t, 0);
    return 0;
}
