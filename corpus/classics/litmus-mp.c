// Message passing: who sees the flag sees the data (all relaxed, under interleaving).
// expect: default=safe overflow=safe leak=safe
// final-states: 3
// (seen flag, seen data) is (0,0), (0,1) or (1,1)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, flag;
static int seen_flag, seen_data;

static void *sender(void *arg) {
    (void)arg;
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return NULL;
}

static void *receiver(void *arg) {
    (void)arg;
    seen_flag = atomic_load_explicit(&flag, memory_order_relaxed);
    seen_data = atomic_load_explicit(&data, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t s, r;
    pthread_create(&s, NULL, sender, NULL);
    pthread_create(&r, NULL, receiver, NULL);
    pthread_join(s, NULL);
    pthread_join(r, NULL);
    assert(!seen_flag || seen_data);
    return 0;
}
