// Dekker's algorithm lets one thread at a time into the critical section.
// expect: default=safe overflow=safe leak=safe
// final-states: 2
// (turn points away from whichever thread left last; all else is back to zero)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_bool wants[2];
static atomic_int turn;
static int inside;

static void enter(int me) {
    int other = 1 - me;
    wants[me] = true;
    while (wants[other]) {
        if (turn == other) {
            wants[me] = false;
            while (turn == other)
                ;
            wants[me] = true;
        }
    }
}

static void leave(int me) {
    turn = 1 - me;
    wants[me] = false;
}

static void *worker(void *arg) {
    int me = (int)(intptr_t)arg;
    enter(me);
    int seen = ++inside;
    assert(seen == 1);
    inside--;
    leave(me);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
