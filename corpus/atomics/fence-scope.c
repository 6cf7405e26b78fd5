// atomic_thread_fence orders relaxed accesses between threads.
// expect: default=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int letter;
atomic_int sent;

static void *send(void *argument) {
    letter = 7;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&sent, 1, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t sender;
    pthread_create(&sender, 0, send, 0);
    if (atomic_load_explicit(&sent, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        assert(letter == 7);
    }
    pthread_join(sender, 0);
    return 0;
}
