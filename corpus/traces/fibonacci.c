// Two threads add each other's variable to their own; a third reads both.
// expect: default=safe
// executions: 140
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_int i = 1, j = 1;

static void *add_to_i(void *unused) {
    for (int k = 0; k < N; k++)
        i = i + j;
    return unused;
}

static void *add_to_j(void *unused) {
    for (int k = 0; k < N; k++)
        j = j + i;
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, add_to_i, 0);
    pthread_create(&second, 0, add_to_j, 0);
    int seen = i > 144;
    if (!seen)
        seen = j > 144;
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(!seen);
    return 0;
}
