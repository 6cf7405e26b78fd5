// A thread looks at plain data in each round of a loop that a relaxed flag ends, and then tells the other thread,
// again relaxed, which writes the data: a race with the round, though the loop was left.
// expect: race=unsafe
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop, stopped;
static int data, seen;

static void *poll(void *unused) {
    while (!atomic_load_explicit(&stop, memory_order_relaxed))
        if (data) //~ race
            seen = 1;
    atomic_store_explicit(&stopped, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, poll, NULL);
    atomic_store_explicit(&stop, 1, memory_order_relaxed);
    while (!atomic_load_explicit(&stopped, memory_order_relaxed)) {
    }
    data = 1; //~ race
    pthread_join(t, NULL);
    return 0;
}
