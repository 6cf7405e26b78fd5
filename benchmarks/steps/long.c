// Two threads that have nothing to do with each other take ROUNDS steps each: one execution.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int first, second;

void *counts(void *arg) {
    atomic_int *counter = arg;
    for (int i = 0; i < ROUNDS; i++)
        (*counter)++;
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, counts, &first);
    pthread_create(&threads[1], 0, counts, &second);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(first + second == 2 * ROUNDS);
}
