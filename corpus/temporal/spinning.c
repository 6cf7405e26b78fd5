// A loop that changes nothing but what formulas are about is more than waiting: how often
// it went round can be told by the order of its labels and those of the other thread.
// ltl: safe none G "flag <= 1"
// ltl: unsafe none G (twice -> G !waiting)
// ltl: unsafe none !waiting W once
// ltl: unsafe none G (once -> (!waiting || once) W twice)
// ltl: safe none !twice W once
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>
atomic_int flag;

void *waiter(void *arg) {
    while (!atomic_load(&flag))
        tp_label("waiting");
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    tp_label("once");
    tp_label("twice");
    atomic_store(&flag, 1);
    pthread_join(thread, 0);
    return 0;
}
