// A lock with tickets, which two threads can count modulo two: each thread gets its turn.
// ltl: safe weak G F one && G F two
// ltl: unsafe none G F one
// ltl: safe none G "inside <= 1"
// ltl: unsafe weak G (one -> (!one W two))
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

atomic_int next, now;
atomic_int inside;

static void enter(int me) {
    int mine = atomic_fetch_xor(&next, 1);
    while (atomic_load(&now) != mine)
        ;
}

static void leave(int me) {
    atomic_fetch_xor(&now, 1);
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
