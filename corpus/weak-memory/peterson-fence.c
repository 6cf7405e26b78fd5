// Peterson's algorithm with a full fence before a thread looks at the other one's flag.
// expect: assert=safe
// tso: robust-traces=safe assert=safe
// pso: assert=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag[2], turn;
atomic_int inside;

static void work(int me) {
    int other = 1 - me;
    atomic_store_explicit(&flag[me], 1, memory_order_release);
    atomic_store_explicit(&turn, other, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    while (atomic_load_explicit(&flag[other], memory_order_acquire) &&
           atomic_load_explicit(&turn, memory_order_acquire) == other)
        ;
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    atomic_store_explicit(&flag[me], 0, memory_order_release);
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
