// Load buffering: not both loads can see the other thread's later store.
// expect: default=safe overflow=safe leak=safe
// final-states: 3
// (r0, r1) is (0,0), (0,1) or (1,0)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r0, r1;

static void *left(void *arg) {
    (void)arg;
    r0 = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return NULL;
}

static void *right(void *arg) {
    (void)arg;
    r1 = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, NULL, left, NULL);
    pthread_create(&r, NULL, right, NULL);
    pthread_join(l, NULL);
    pthread_join(r, NULL);
    assert(r0 + r1 < 2);
    return 0;
}
