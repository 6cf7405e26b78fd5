// The shape R with full fences.
// expect: assert=safe
// final-states: 3
// tso: robust-traces=safe assert=safe final-states=3
// pso: assert=safe final-states=3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r0;

void *thread0(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return 0;
}

void *thread1(void *unused) {
    atomic_store_explicit(&y, 2, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    r0 = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, thread0, 0);
    pthread_create(&threads[1], 0, thread1, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(!(r0 == 0 && y == 2));
    return 0;
}
