// A queue for one producer and one consumer: an element must be seen before the index that tells of it.
// expect: assert=safe
// tso: assert=safe
// pso: assert=unsafe fences=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SIZE = 2, ITEMS = 2 };
int slots[SIZE];
atomic_int head, tail;

void *producer(void *unused) {
    for (int i = 1; i <= ITEMS; i++) {
        int at = atomic_load_explicit(&tail, memory_order_relaxed);
        slots[at % SIZE] = i;
        atomic_store_explicit(&tail, at + 1, memory_order_relaxed);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, producer, 0);
    for (int i = 1; i <= ITEMS; i++) {
        int at = atomic_load_explicit(&head, memory_order_relaxed);
        if (atomic_load_explicit(&tail, memory_order_acquire) == at)
            break;
        assert(slots[at % SIZE] == i); //~ assert
        atomic_store_explicit(&head, at + 1, memory_order_release);
    }
    pthread_join(t, 0);
    return 0;
}
