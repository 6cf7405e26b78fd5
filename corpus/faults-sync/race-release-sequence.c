// A relaxed read-modify-write continues a release sequence: who acquires it sees the releaser's data.
// expect: default=safe overflow=safe leak=safe
// final-states: 2
// (the middleman came in time, or not)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int stage;

static void *releaser(void *arg) {
    (void)arg;
    data = 42;
    atomic_store_explicit(&stage, 1, memory_order_release);
    return NULL;
}

static void *middleman(void *arg) {
    (void)arg;
    int expected = 1;
    atomic_compare_exchange_strong_explicit(&stage, &expected, 2, memory_order_relaxed,
                                            memory_order_relaxed);
    return NULL;
}

static void *acquirer(void *arg) {
    (void)arg;
    if (atomic_load_explicit(&stage, memory_order_acquire) == 2)
        assert(data == 42);
    return NULL;
}

int main(void) {
    void *(*const role[])(void *) = {releaser, middleman, acquirer};
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, role[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
