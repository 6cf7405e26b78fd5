// Writer i copies cell i - 1, plus one, to cell i; a reader looks for the last cell that is zero.
// expect: default=safe
// executions: 64
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 5
#endif

static atomic_int cells[N + 1];
static int numbers[N + 1];

static void *look(void *unused) {
    int i = N;
    while (cells[i] != 0)
        i--;
    return unused;
}

static void *copy(void *number) {
    int i = *(int *)number;
    cells[i] = cells[i - 1] + 1;
    return 0;
}

int main(void) {
    pthread_t threads[N + 1];
    for (int i = 0; i <= N; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], 0, i == 0 ? look : copy, &numbers[i]);
    }
    for (int i = 0; i <= N; i++)
        pthread_join(threads[i], 0);
    return 0;
}
