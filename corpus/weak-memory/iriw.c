// Independent reads of independent writes: two readers see two stores in opposite orders. A committed store is seen by all.
// expect: assert=safe
// final-states: 15
// tso: robust-traces=safe assert=safe final-states=15
// pso: assert=safe final-states=15
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r0, r1, r2, r3;

void *thread0(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return 0;
}

void *thread1(void *unused) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return 0;
}

void *thread2(void *unused) {
    r0 = atomic_load_explicit(&x, memory_order_relaxed);
    r1 = atomic_load_explicit(&y, memory_order_relaxed);
    return 0;
}

void *thread3(void *unused) {
    r2 = atomic_load_explicit(&y, memory_order_relaxed);
    r3 = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t threads[4];
    pthread_create(&threads[0], 0, thread0, 0);
    pthread_create(&threads[1], 0, thread1, 0);
    pthread_create(&threads[2], 0, thread2, 0);
    pthread_create(&threads[3], 0, thread3, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    assert(!(r0 == 1 && r1 == 0 && r2 == 1 && r3 == 0));
    return 0;
}
