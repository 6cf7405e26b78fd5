// Two workers take tasks from a common counter until there are none left.
// ap: all=done[0] == 1 && done[1] == 1
// ltl: safe none F all
// ltl: safe none F terminated
// ltl: safe none !terminated W all
// ltl: unsafe none G ("done[1] == 1" -> "done[0] == 1")
// ltl: unsafe strong G ("next == 2" -> all)
#include <pthread.h>
#include <stdatomic.h>

atomic_int next, done[2];

void *worker(void *arg) {
    int task;
    while ((task = atomic_fetch_add(&next, 1)) < 2)
        atomic_store(&done[task], 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
}
