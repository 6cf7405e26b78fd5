// A single-producer, single-consumer ring of two slots with acquire and release indices.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SLOTS = 2, ITEMS = 3 };

static int ring[SLOTS];
static atomic_uint head, tail;

static void *producer(void *arg) {
    (void)arg;
    for (unsigned i = 0; i < ITEMS; i++) {
        while (i - atomic_load_explicit(&head, memory_order_acquire) == SLOTS)
            ;
        ring[i % SLOTS] = (int)i + 1;
        atomic_store_explicit(&tail, i + 1, memory_order_release);
    }
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    for (unsigned i = 0; i < ITEMS; i++) {
        while (atomic_load_explicit(&tail, memory_order_acquire) == i)
            ;
        int item = ring[i % SLOTS];
        assert(item == (int)i + 1);
        atomic_store_explicit(&head, i + 1, memory_order_release);
    }
    return NULL;
}

int main(void) {
    pthread_t p, c;
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    return 0;
}
