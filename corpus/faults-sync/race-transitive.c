// Happens-before is transitive: what was acquired in one hand-over is passed on in the next.
// expect: default=safe overflow=safe leak=safe
// final-states: 2
// (the relay passed it on, or came too early)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int first, second;

static void *source(void *arg) {
    (void)arg;
    data = 42;
    atomic_store_explicit(&first, 1, memory_order_release);
    return NULL;
}

static void *relay(void *arg) {
    (void)arg;
    if (atomic_load_explicit(&first, memory_order_acquire))
        atomic_store_explicit(&second, 1, memory_order_release);
    return NULL;
}

static void *sink(void *arg) {
    (void)arg;
    if (atomic_load_explicit(&second, memory_order_acquire))
        assert(data == 42);
    return NULL;
}

int main(void) {
    void *(*const role[])(void *) = {source, relay, sink};
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, role[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
