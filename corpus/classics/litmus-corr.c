// Coherence: two loads of one variable never go back in time.
// expect: default=safe overflow=safe leak=safe
// final-states: 6
// (pairs first <= second out of 0, 1, 2)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int first, second;

static void *writer(void *arg) {
    (void)arg;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    first = atomic_load_explicit(&x, memory_order_relaxed);
    second = atomic_load_explicit(&x, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t w, r;
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    assert(first <= second);
    return 0;
}
