// Two threads increment twice with separate loads and stores: the result is 2, 3 or 4.
// expect: default=safe overflow=safe leak=safe
// final-states: 3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *worker(void *arg) {
    (void)arg;
    for (int i = 0; i < 2; i++) {
        int n = atomic_load(&counter);
        atomic_store(&counter, n + 1);
    }
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(counter >= 2 && counter <= 4);
    return 0;
}
