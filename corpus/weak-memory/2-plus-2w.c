// Two threads store two variables in opposite orders, and the first stores win.
// expect: assert=safe
// final-states: 3
// tso: robust-traces=safe assert=safe final-states=3
// pso: assert=unsafe final-states=3 fences=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

void *thread0(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 2, memory_order_relaxed);
    return 0;
}

void *thread1(void *unused) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, thread0, 0);
    pthread_create(&threads[1], 0, thread1, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(!(x == 1 && y == 1)); //~ assert
    return 0;
}
