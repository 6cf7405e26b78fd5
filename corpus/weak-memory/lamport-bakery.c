// Lamport's bakery for two threads: that a thread chooses must be seen before it looks at the others.
// expect: assert=safe
// tso: assert=unsafe fences=2
// pso: assert=unsafe fences=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int choosing[2], number[2];
int inside;

static void work(int me) {
    int other = 1 - me;
    atomic_store_explicit(&choosing[me], 1, memory_order_release);
    int mine = atomic_load_explicit(&number[other], memory_order_acquire) + 1;
    atomic_store_explicit(&number[me], mine, memory_order_release);
    atomic_store_explicit(&choosing[me], 0, memory_order_release);
    while (atomic_load_explicit(&choosing[other], memory_order_acquire))
        ;
    for (;;) {
        int theirs = atomic_load_explicit(&number[other], memory_order_acquire);
        if (theirs == 0 || mine < theirs || (mine == theirs && me < other))
            break;
    }
    inside++;
    assert(inside == 1); //~ assert
    inside--;
    atomic_store_explicit(&number[me], 0, memory_order_release);
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
