// An atomic maximum with a loop of weak compare-and-swaps.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int maximum;

static void raise_to(int value) {
    int seen = atomic_load_explicit(&maximum, memory_order_relaxed);
    while (seen < value &&
           !atomic_compare_exchange_weak_explicit(&maximum, &seen, value, memory_order_release,
                                                  memory_order_relaxed))
        ;
}

static void *worker(void *arg) {
    raise_to((int)(intptr_t)arg);
    return NULL;
}

int main(void) {
    pthread_t t[3];
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, worker, (void *)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(maximum == 3);
    return 0;
}
