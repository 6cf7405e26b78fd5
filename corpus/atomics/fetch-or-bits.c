// Three threads set a bit each; the last one to do so knows it from the old value.
// expect: default=safe overflow=safe leak=safe
// final-states: 3
// (which of the three was the last)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_uint arrived;
static int last = -1;

static void *worker(void *arg) {
    intptr_t me = (intptr_t)arg;
    unsigned mine = 1u << me;
    unsigned before = atomic_fetch_or(&arrived, mine);
    assert((before & mine) == 0);
    if ((before | mine) == 7)
        last = (int)me;
    return NULL;
}

int main(void) {
    pthread_t t[3];
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(last >= 0);
    return 0;
}
