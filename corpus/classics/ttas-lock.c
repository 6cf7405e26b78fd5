// A test-and-test-and-set lock waits on a relaxed load and takes the lock with an exchange.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool locked;
static int counter;

static void lock(void) {
    do {
        while (atomic_load_explicit(&locked, memory_order_relaxed))
            ;
    } while (atomic_exchange_explicit(&locked, true, memory_order_acquire));
}

static void unlock(void) {
    atomic_store_explicit(&locked, false, memory_order_release);
}

static void *worker(void *arg) {
    (void)arg;
    lock();
    counter++;
    unlock();
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(counter == 2);
    return 0;
}
