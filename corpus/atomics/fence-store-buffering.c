// Sequentially consistent fences between relaxed accesses: one of the threads sees the other's store.
// expect: default=safe overflow=safe leak=safe
// final-states: 3
// (all outcomes but r0 == r1 == 0)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r0, r1;

static void *left(void *arg) {
    (void)arg;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    r0 = atomic_load_explicit(&y, memory_order_relaxed);
    return NULL;
}

static void *right(void *arg) {
    (void)arg;
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    r1 = atomic_load_explicit(&x, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, NULL, left, NULL);
    pthread_create(&r, NULL, right, NULL);
    pthread_join(l, NULL);
    pthread_join(r, NULL);
    assert(r0 == 1 || r1 == 1);
    return 0;
}
