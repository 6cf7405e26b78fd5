// A worker may stop before it has said that it is done.
// ltl: unsafe strong F terminated
// ltl: safe weak F "done == 1" -> F terminated
// ltl: unsafe none F "done == 1" -> F terminated
// ltl: safe none G (terminated -> "done == 1")
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

atomic_int done, idle;

void *worker(void *arg) {
    if (tp_nondet_bool())
        return 0;
    atomic_store(&done, 1);
    for (;;)
        atomic_fetch_xor(&idle, 1);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    while (!atomic_load(&done))
        ;
}
