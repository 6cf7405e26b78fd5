// Store buffering with an exchange of a third variable between store and load.
// expect: assert=safe
// final-states: 4
// tso: assert=safe final-states=4
// pso: assert=safe final-states=4
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y, z;
int a, b, r0, r1;

void *thread0(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    a = atomic_exchange_explicit(&z, 1, memory_order_relaxed);
    r0 = atomic_load_explicit(&y, memory_order_relaxed);
    return 0;
}

void *thread1(void *unused) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    b = atomic_exchange_explicit(&z, 2, memory_order_relaxed);
    r1 = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, thread0, 0);
    pthread_create(&threads[1], 0, thread1, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(!(r0 == 0 && r1 == 0));
    return 0;
}
