// Each thread counts in a variable of its own, which others may look at: a state for
// every combination of counts.
// flags: -DROUNDS=2
// expect: assert=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counts[2];

static void *counter(void *own) {
    for (int i = 0; i < ROUNDS; i++)
        atomic_fetch_add((atomic_int *)own, 1);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, counter, &counts[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++)
        assert(counts[i] == ROUNDS);
    return 0;
}
