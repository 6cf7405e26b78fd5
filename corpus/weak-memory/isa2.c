// A message that is passed on by a third thread.
// expect: assert=safe
// final-states: 7
// tso: robust-traces=safe assert=safe final-states=7
// pso: assert=unsafe final-states=7 fences=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y, z;
int r0, r1, r2;

void *thread0(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return 0;
}

void *thread1(void *unused) {
    r0 = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_store_explicit(&z, 1, memory_order_relaxed);
    return 0;
}

void *thread2(void *unused) {
    r1 = atomic_load_explicit(&z, memory_order_relaxed);
    r2 = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, thread0, 0);
    pthread_create(&threads[1], 0, thread1, 0);
    pthread_create(&threads[2], 0, thread2, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(!(r0 == 1 && r1 == 1 && r2 == 0)); //~ assert
    return 0;
}
