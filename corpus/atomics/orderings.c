// Every ordering that loads, stores, exchanges and fences may have computes the same values.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <stdatomic.h>

static atomic_int x;

int main(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    assert(atomic_load_explicit(&x, memory_order_relaxed) == 1);
    atomic_store_explicit(&x, 2, memory_order_release);
    assert(atomic_load_explicit(&x, memory_order_consume) == 2);
    assert(atomic_load_explicit(&x, memory_order_acquire) == 2);
    atomic_store_explicit(&x, 3, memory_order_seq_cst);
    assert(atomic_load_explicit(&x, memory_order_seq_cst) == 3);

    assert(atomic_exchange_explicit(&x, 4, memory_order_relaxed) == 3);
    assert(atomic_exchange_explicit(&x, 5, memory_order_acquire) == 4);
    assert(atomic_exchange_explicit(&x, 6, memory_order_release) == 5);
    assert(atomic_exchange_explicit(&x, 7, memory_order_acq_rel) == 6);
    assert(atomic_exchange_explicit(&x, 8, memory_order_seq_cst) == 7);

    atomic_thread_fence(memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    atomic_thread_fence(memory_order_release);
    atomic_thread_fence(memory_order_acq_rel);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_seq_cst);
    assert(x == 8);
    return 0;
}
