// Compare-and-swap of 16 bytes: two halves change together.
// expect: default=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static const __int128 one_in_each_half = ((__int128)1 << 64) + 1;
static __int128 halves;

static void *worker(void *arg) {
    __int128 old;
    do
        old = __atomic_load_n(&halves, __ATOMIC_SEQ_CST);
    while (!__sync_bool_compare_and_swap(&halves, old, old + one_in_each_half));
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    assert(halves == 2 * one_in_each_half);
    return 0;
}
