// A thread that waits for a test-and-set lock may find it taken whenever it looks.
// ltl: safe weak G F (one || two)
// ltl: unsafe none G F (one || two)
// ltl: unsafe weak G F one
// ltl: unsafe strong G F one
// ltl: safe none G "inside <= 1"
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

atomic_int taken;
atomic_int inside;

static void enter(int me) {
    while (atomic_exchange(&taken, 1))
        ;
}

static void leave(int me) {
    atomic_store(&taken, 0);
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
