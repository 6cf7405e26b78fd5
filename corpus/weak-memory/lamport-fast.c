// Lamport's fast mutual exclusion for two threads: its stores must be seen before its loads are made.
// expect: assert=safe
// tso: assert=unsafe fences=1
// pso: assert=unsafe fences=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y, b[2];
int inside;

static int load(atomic_int *from) { return atomic_load_explicit(from, memory_order_acquire); }

static void store(atomic_int *to, int value) {
    atomic_store_explicit(to, value, memory_order_release);
}

/* Gives up where the other one may be inside. */
static int enter(int me) {
    int other = 1 - me;
    store(&b[me], 1);
    store(&x, me + 1);
    if (load(&y) != 0) {
        store(&b[me], 0);
        return 0;
    }
    store(&y, me + 1);
    if (load(&x) != me + 1) {
        store(&b[me], 0);
        while (load(&b[other]))
            ;
        return load(&y) == me + 1;
    }
    return 1;
}

static void work(int me) {
    if (!enter(me))
        return;
    inside++;
    assert(inside == 1); //~ assert
    inside--;
    store(&y, 0);
    store(&b[me], 0);
}

void *thread(void *unused) {
    work(1);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    work(0);
    pthread_join(t, 0);
    return 0;
}
