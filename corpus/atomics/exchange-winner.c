// Of two threads that exchange a flag, exactly one finds it unset.
// expect: default=safe overflow=safe leak=safe
// final-states: 2
// (who won)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_bool taken;
static bool won[2];

static void *worker(void *arg) {
    won[(intptr_t)arg] = !atomic_exchange(&taken, true);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(won[0] != won[1]);
    return 0;
}
