// Three threads of five atomic increments each: 15! over 5! cubed traces. The search's speed is measured on it.
// expect: default=safe
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 5
#endif

static atomic_int counter;

static void *increment(void *unused) {
    for (int i = 0; i < N; i++)
        counter++;
    return unused;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, increment, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
