// A test and a store instead of an exchange: both threads believe that they won.
// expect: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
// final-states: 2
// (exactly one won; two winners end in the assertion)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_bool taken;
static bool won[2];

static void *worker(void *arg) {
    if (!taken) {
        taken = true;
        won[(intptr_t)arg] = true;
    }
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(won[0] != won[1]); //~ assert
    return 0;
}
