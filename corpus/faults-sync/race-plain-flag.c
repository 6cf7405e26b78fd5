// A flag stored with release and loaded with acquire publishes plain data.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static int data;
static atomic_bool ready;

static void *producer(void *arg) {
    (void)arg;
    data = 42;
    atomic_store_explicit(&ready, true, memory_order_release);
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    while (!atomic_load_explicit(&ready, memory_order_acquire))
        ;
    assert(data == 42);
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
