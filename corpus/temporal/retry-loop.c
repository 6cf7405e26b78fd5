// Two threads count without a lock: one of them always gets on, but the other may have to
// try again for ever.
// ltl: safe none G F "n == 0"
// ltl: safe weak G F (one || two)
// ltl: unsafe weak G F one
// ltl: unsafe strong G F one
// ltl: unsafe none G F two
// ltl: safe none G ("n == 1" -> ("n == 1" W "n == 2"))
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

atomic_int n;

static void count(void) {
    int old = atomic_load(&n);
    while (!atomic_compare_exchange_strong(&n, &old, (old + 1) % 3))
        ;
}

void *second(void *arg) {
    for (;;) {
        count();
        tp_label("two");
    }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, second, 0);
    for (;;) {
        count();
        tp_label("one");
    }
}
