// A thread stores more than its buffer may hold: executions in which all of it waits are not followed.
// expect: assert=safe
// options: --buffer-bound=2
// tso: assert=unknown
// pso: assert=unknown
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int a, b, c;

void *thread(void *unused) {
    atomic_store_explicit(&a, 1, memory_order_release);
    atomic_store_explicit(&b, 1, memory_order_release);
    atomic_store_explicit(&c, 1, memory_order_release);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    if (atomic_load_explicit(&c, memory_order_acquire))
        assert(atomic_load_explicit(&a, memory_order_acquire));
    pthread_join(t, 0);
    return 0;
}
