// A test-and-set spin lock on atomic_flag with acquire and release orderings.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag locked = ATOMIC_FLAG_INIT;
static int counter;

static void *worker(void *arg) {
    (void)arg;
    while (atomic_flag_test_and_set_explicit(&locked, memory_order_acquire))
        ;
    counter++;
    atomic_flag_clear_explicit(&locked, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(counter == 3);
    return 0;
}
