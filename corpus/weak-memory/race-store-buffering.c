// Two threads keep each other out by flags, which they do not when stores are delayed: then they race.
// expect: race=safe
// tso: race=unsafe
// pso: race=unsafe
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int data;

void *thread(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    if (!atomic_load_explicit(&y, memory_order_relaxed))
        data = 1; //~ race
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    if (!atomic_load_explicit(&x, memory_order_relaxed))
        data = 2; //~ race
    pthread_join(t, 0);
    return 0;
}
