// Szymanski's algorithm for two threads: stores of the flag must be seen before the other one's is loaded.
// expect: assert=safe
// tso: assert=unsafe fences=1
// pso: assert=unsafe fences=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag[2];
int inside;

static int load(int thread) { return atomic_load_explicit(&flag[thread], memory_order_acquire); }

static void set(int thread, int value) {
    atomic_store_explicit(&flag[thread], value, memory_order_release);
}

static void work(int me) {
    int other = 1 - me;
    set(me, 1);
    while (load(other) >= 3)
        ;
    set(me, 3);
    if (load(other) == 1) {
        set(me, 2);
        while (load(other) != 4)
            ;
    }
    set(me, 4);
    if (me == 1)
        while (load(other) >= 2)
            ;
    inside++;
    assert(inside == 1); //~ assert
    inside--;
    if (me == 0)
        while (load(other) == 2 || load(other) == 3)
            ;
    set(me, 0);
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
