// Peterson's algorithm: a thread that wants to enter does, if threads go on.
// ap: wants=want[0] == 1
// ltl: safe weak G (wants -> F first)
// ltl: unsafe none G (wants -> F first)
// ltl: safe weak G F first && G F second
// ltl: safe none G !(first && second)
// ltl: safe none G "inside <= 1"
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

atomic_int want[2], turn, inside;

void *second(void *arg) {
    for (;;) {
        atomic_store(&want[1], 1);
        atomic_store(&turn, 0);
        while (atomic_load(&want[0]) && atomic_load(&turn) == 0)
            ;
        atomic_fetch_add(&inside, 1);
        tp_label("second");
        atomic_fetch_sub(&inside, 1);
        atomic_store(&want[1], 0);
    }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, second, 0);
    for (;;) {
        atomic_store(&want[0], 1);
        atomic_store(&turn, 1);
        while (atomic_load(&want[1]) && atomic_load(&turn) == 1)
            ;
        atomic_fetch_add(&inside, 1);
        tp_label("first");
        atomic_fetch_sub(&inside, 1);
        atomic_store(&want[0], 0);
    }
}
