// A test-and-set lock released with a relaxed store excludes, but orders nothing: the counter races.
// expect: race=unsafe assert=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
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
    counter++; //~ race
    atomic_flag_clear_explicit(&locked, memory_order_relaxed);
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
