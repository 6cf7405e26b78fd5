// Whether the worker is told to stop depends on an input.
// ltl: unsafe weak F terminated
// ltl: unsafe strong F terminated
// ltl: safe weak F "stop == 1" -> F terminated
// ltl: safe none F "stop == 1" -> F terminated
// ltl: unsafe none F "stop == 1"
// ltl: safe weak F terminated || G F "work == 1"
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

atomic_int stop, work;

void *worker(void *arg) {
    while (!atomic_load(&stop))
        atomic_fetch_xor(&work, 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    if (tp_nondet_bool())
        atomic_store(&stop, 1);
    pthread_join(thread, 0);
}
