// A ring buffer that publishes the index before it fills the slot.
// expect: assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SLOTS = 2, ITEMS = 2 };

static int ring[SLOTS];
static atomic_uint tail;

static void *producer(void *arg) {
    (void)arg;
    for (unsigned i = 0; i < ITEMS; i++) {
        atomic_store_explicit(&tail, i + 1, memory_order_release);
        ring[i % SLOTS] = (int)i + 1; //~ race
    }
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    for (unsigned i = 0; i < ITEMS; i++) {
        while (atomic_load_explicit(&tail, memory_order_acquire) == i)
            ;
        int item = ring[i % SLOTS];
        assert(item == (int)i + 1); //~ assert
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
