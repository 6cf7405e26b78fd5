// N threads increment one atomic counter: every order is a trace of its own, N! of them.
// expect: default=safe
// executions: 24
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

static atomic_int counter;

static void *increment(void *unused) {
    counter++;
    return unused;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], 0, increment, 0);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    assert(counter == N);
    return 0;
}
