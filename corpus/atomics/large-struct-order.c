// An atomic structure, too large for one instruction, publishes what was written before.
// expect: default=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct {
    char bytes[3];
} flags;

int message;
_Atomic flags shared;

static void *publish(void *argument) {
    message = 1;
    atomic_store_explicit(&shared, ((flags){{1, 1, 1}}), memory_order_release);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, publish, 0);
    flags seen = atomic_load_explicit(&shared, memory_order_acquire);
    assert(seen.bytes[0] == seen.bytes[2]);
    if (seen.bytes[0]) assert(message == 1);
    pthread_join(thread, 0);
    return 0;
}
