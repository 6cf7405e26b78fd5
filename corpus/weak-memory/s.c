// The shape S: two stores, of which the second is seen before a store that the first comes after.
// expect: assert=safe
// final-states: 3
// tso: robust-traces=safe assert=safe final-states=3
// pso: assert=unsafe final-states=3 fences=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r0;

void *thread0(void *unused) {
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return 0;
}

void *thread1(void *unused) {
    r0 = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, thread0, 0);
    pthread_create(&threads[1], 0, thread1, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(!(r0 == 1 && x == 2)); //~ assert
    return 0;
}
