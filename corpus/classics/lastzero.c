// The "lastzero" benchmark: a search from the end of a growing array always finds a zero.
// expect: default=safe overflow=safe leak=safe
// final-states: 4
// (cell 1 is 1; cell 2 is 1 or 2; cell 3 is 1 or one more than cell 2)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { N = 3 };

static atomic_int cell[N + 1];

static void *search(void *arg) {
    (void)arg;
    int i = N;
    while (cell[i] != 0)
        i--;
    assert(i >= 0);
    return NULL;
}

static void *grow(void *arg) {
    int k = (int)(intptr_t)arg;
    cell[k] = cell[k - 1] + 1;
    return NULL;
}

int main(void) {
    pthread_t s, g[N];
    pthread_create(&s, NULL, search, NULL);
    for (intptr_t k = 1; k <= N; k++)
        pthread_create(&g[k - 1], NULL, grow, (void *)k);
    for (int k = 0; k < N; k++)
        pthread_join(g[k], NULL);
    pthread_join(s, NULL);
    return 0;
}
