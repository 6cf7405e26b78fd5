// A server is asked again until it accepts, which depends on an input.
// ltl: unsafe strong F terminated
// ltl: safe weak F accepted -> F terminated
// ltl: unsafe none F accepted -> F terminated
// ltl: safe none G (terminated -> "done == 1")
// ltl: safe none !"done == 1" W accepted
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

atomic_int done;

void *waiter(void *arg) {
    while (!atomic_load(&done))
        ;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    while (!tp_nondet_bool())
        ;
    tp_label("accepted");
    atomic_store(&done, 1);
    pthread_join(thread, 0);
}
