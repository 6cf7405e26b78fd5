// A flag that is stored by a release orders the data before it, under every memory model.
// expect: race=safe assert=safe
// tso: race=safe assert=safe
// pso: race=safe assert=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int flag;

void *producer(void *unused) {
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, producer, 0);
    if (atomic_load_explicit(&flag, memory_order_acquire))
        assert(data == 1);
    pthread_join(t, 0);
    return 0;
}
