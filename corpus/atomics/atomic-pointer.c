// Two threads advance an atomic pointer: each gets an element of its own.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int cells[2];
static _Atomic(int *) next = cells;

static void *worker(void *arg) {
    (void)arg;
    int *mine = atomic_fetch_add(&next, 1);
    *mine = 1;
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(cells[0] == 1 && cells[1] == 1);
    return 0;
}
