// Coherence: two loads of one variable do not see its stores in the wrong order.
// expect: assert=safe
// final-states: 6
// tso: robust-traces=safe assert=safe final-states=6
// pso: assert=safe final-states=6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int r0, r1;

void *thread0(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    return 0;
}

void *thread1(void *unused) {
    r0 = atomic_load_explicit(&x, memory_order_relaxed);
    r1 = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, thread0, 0);
    pthread_create(&threads[1], 0, thread1, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(!(r0 == 2 && r1 == 1));
    return 0;
}
