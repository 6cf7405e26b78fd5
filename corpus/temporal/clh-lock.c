// A queue lock: each thread waits for the node of the one before it, so that none is passed by.
// ltl: safe weak G F one && G F two
// ltl: unsafe none G F one
// ltl: safe none G "inside <= 1"
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

/* The last node is free at first; a thread that leaves takes over the one before its own. */
atomic_int busy[3], tail = 2;
int own[2] = {0, 1}, before[2];
atomic_int inside;

static void enter(int me) {
    atomic_store(&busy[own[me]], 1);
    before[me] = atomic_exchange(&tail, own[me]);
    while (atomic_load(&busy[before[me]]))
        ;
}

static void leave(int me) {
    atomic_store(&busy[own[me]], 0);
    own[me] = before[me];
}

void *second(void *arg) {
    for (;;) {
        enter(1);
        atomic_fetch_add(&inside, 1);
        tp_label("two");
        atomic_fetch_sub(&inside, 1);
        leave(1);
    }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, second, 0);
    for (;;) {
        enter(0);
        atomic_fetch_add(&inside, 1);
        tp_label("one");
        atomic_fetch_sub(&inside, 1);
        leave(0);
    }
}
