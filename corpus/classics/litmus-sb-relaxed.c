// Store buffering with relaxed atomics: the interleaving semantics keeps the program order.
// expect: default=safe overflow=safe leak=safe
// final-states: 3
// (r0, r1) is (0,1), (1,0) or (1,1); hardware would also show (0,0)
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r0, r1;

static void *left(void *arg) {
    (void)arg;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    r0 = atomic_load_explicit(&y, memory_order_relaxed);
    return NULL;
}

static void *right(void *arg) {
    (void)arg;
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    r1 = atomic_load_explicit(&x, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, NULL, left, NULL);
    pthread_create(&r, NULL, right, NULL);
    pthread_join(l, NULL);
    pthread_join(r, NULL);
    return 0;
}
