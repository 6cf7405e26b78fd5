// THREADS threads that have nothing to do with each other take two steps each: one execution.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int counters[THREADS];
pthread_t threads[THREADS];

void *counts(void *arg) {
    atomic_int *counter = arg;
    (*counter)++;
    (*counter)++;
    return 0;
}

int main(void) {
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, counts, &counters[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    for (int i = 0; i < THREADS; i++)
        assert(counters[i] == 2);
}
