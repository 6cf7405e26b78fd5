// Thread i turns the value i - 1 into i by compare-and-exchange, if it finds it.
// expect: default=safe
// executions: 43
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 5
#endif

static atomic_int value;
static int numbers[N];

static void *rotate(void *number) {
    int next = *(int *)number;
    int expected = next - 1;
    atomic_compare_exchange_strong(&value, &expected, next);
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++) {
        numbers[i] = i + 1;
        pthread_create(&threads[i], 0, rotate, &numbers[i]);
    }
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    return 0;
}
