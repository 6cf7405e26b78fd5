// A failed compare-and-swap delivers the value it found.
// expect: default=safe overflow=safe leak=safe
// final-states: 2
// (who came first)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int owner;

static void *worker(void *arg) {
    int me = (int)(intptr_t)arg;
    int expected = 0;
    if (atomic_compare_exchange_strong(&owner, &expected, me))
        assert(expected == 0);
    else
        assert(expected == 3 - me);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(owner == 1 || owner == 2);
    return 0;
}
