// Dekker's algorithm: each thread enters again and again, if threads go on.
// ltl: safe weak G F one && G F two
// ltl: unsafe none G F two
// ltl: safe none G "inside <= 1"
// ltl: safe none G !(one && two)
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

atomic_int want[2], turn;
atomic_int inside;

static void enter(int me) {
    atomic_store(&want[me], 1);
    while (atomic_load(&want[1 - me]))
        if (atomic_load(&turn) != me) {
            atomic_store(&want[me], 0);
            while (atomic_load(&turn) != me)
                ;
            atomic_store(&want[me], 1);
        }
}

static void leave(int me) {
    atomic_store(&turn, 1 - me);
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
