// Store buffering in which what the threads load is forgotten in the end. The program ends under
// tso and pso as under sc, though its accesses can come in an order that sc does not have.
// expect: assert=safe
// final-states: 1
// tso: assert=safe robust-traces=unsafe final-states=1
// pso: assert=safe final-states=1
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r0, r1;

void *thread0(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    r0 = atomic_load_explicit(&y, memory_order_relaxed);
    return 0;
}

void *thread1(void *unused) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    r1 = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, thread0, 0);
    pthread_create(&threads[1], 0, thread1, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    r0 = r1 = 0;
    return 0;
}
