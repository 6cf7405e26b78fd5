// Dekker's algorithm with stores that stay in their buffers.
// expect: assert=safe
// tso: robust-traces=unsafe assert=unsafe fences=1
// pso: assert=unsafe fences=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2], turn;
int inside;

static void work(int me) {
    int other = 1 - me;
    atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
    while (atomic_load_explicit(&wants[other], memory_order_acquire)) {
        if (atomic_load_explicit(&turn, memory_order_acquire) == me)
            continue;
        atomic_store_explicit(&wants[me], 0, memory_order_relaxed);
        while (atomic_load_explicit(&turn, memory_order_acquire) != me)
            ;
        atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
    }
    inside++;
    assert(inside == 1); //~ assert
    inside--;
    atomic_store_explicit(&turn, other, memory_order_release);
    atomic_store_explicit(&wants[me], 0, memory_order_release);
}

void *thread(void *unused) {
    work(1);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    work(0);
    pthread_join(t, 0);
    return 0;
}
