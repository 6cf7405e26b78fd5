// A thread looks at plain data in each round of a loop that a flag ends, and then tells the other thread, which
// writes the data: the loop was left before that.
// expect: race=safe
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop, stopped;
static int data, seen;

static void *poll(void *unused) {
    while (!atomic_load_explicit(&stop, memory_order_seq_cst))
        if (data)
            seen = 1;
    atomic_store_explicit(&stopped, 1, memory_order_seq_cst);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, poll, NULL);
    atomic_store_explicit(&stop, 1, memory_order_seq_cst);
    while (!atomic_load_explicit(&stopped, memory_order_seq_cst)) {
    }
    data = 1;
    pthread_join(t, NULL);
    return 0;
}
