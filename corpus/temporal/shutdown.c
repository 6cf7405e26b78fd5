// A worker goes on until it is told to stop.
// ltl: safe weak F terminated
// ltl: unsafe none F terminated
// ltl: safe none G (terminated -> "stop == 1")
// ltl: unsafe weak G !terminated
// ltl: unsafe strong G F "work == 1"
#include <pthread.h>
#include <stdatomic.h>

atomic_int stop, work;

void *worker(void *arg) {
    while (!atomic_load(&stop))
        atomic_fetch_xor(&work, 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    atomic_store(&stop, 1);
    pthread_join(thread, 0);
}
