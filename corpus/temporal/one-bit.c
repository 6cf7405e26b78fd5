// Mutual exclusion with one bit for each thread: the first has priority, and the second may
// wait for ever.
// ltl: safe weak G F one
// ltl: unsafe none G F one
// ltl: unsafe weak G F two
// ltl: unsafe strong G F two
// ltl: safe none G "inside <= 1"
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

atomic_int want[2];
atomic_int inside;

static void enter(int me) {
    atomic_store(&want[me], 1);
    while (atomic_load(&want[1 - me]))
        if (me == 1) {
            atomic_store(&want[1], 0);
            while (atomic_load(&want[0]))
                ;
            atomic_store(&want[1], 1);
        }
}

static void leave(int me) {
    atomic_store(&want[me], 0);
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
