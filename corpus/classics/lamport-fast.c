// Lamport's fast mutex (one store to x and y each without contention) excludes two threads.
// expect: default=safe overflow=safe leak=safe
// final-states: 2
// (x keeps the id of the last thread that passed the gate; all else is reset)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_int x, y;
static atomic_bool busy[3];
static int inside;

static void lock(int me) {
    int other = 3 - me;
    for (;;) {
        busy[me] = true;
        x = me;
        if (y != 0) {
            busy[me] = false;
            while (y != 0)
                ;
            continue;
        }
        y = me;
        if (x == me)
            return; // the fast path
        busy[me] = false;
        while (busy[other])
            ;
        if (y == me)
            return;
        while (y != 0)
            ;
    }
}

static void unlock(int me) {
    y = 0;
    busy[me] = false;
}

static void *worker(void *arg) {
    int me = (int)(intptr_t)arg;
    lock(me);
    int seen = ++inside;
    assert(seen == 1);
    inside--;
    unlock(me);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
