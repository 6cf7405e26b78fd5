// An atomic structure, too large for one instruction, is stored with relaxed order: nothing is published with it.
// expect: race=unsafe assert=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct {
    char bytes[3];
} flags;

int message;
_Atomic flags shared;

static void *publish(void *argument) {
    message = 1; //~ race
    atomic_store_explicit(&shared, ((flags){{1, 1, 1}}), memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, publish, 0);
    flags seen = atomic_load_explicit(&shared, memory_order_acquire);
    assert(seen.bytes[0] == seen.bytes[2]);
    if (seen.bytes[0]) assert(message == 1); //~ race
    pthread_join(thread, 0);
    return 0;
}
