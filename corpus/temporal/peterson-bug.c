// Peterson's algorithm without the turn: both may want for ever, and none enters.
// ltl: unsafe weak G ("want[0] == 1" -> F first)
// ltl: unsafe strong G ("want[0] == 1" -> F first)
// ltl: safe none G !(first && second)
// ltl: unsafe weak G F (first || second)
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

atomic_int want[2];

void *other(void *arg) {
    for (;;) {
        atomic_store(&want[1], 1);
        while (atomic_load(&want[0]))
            ;
        tp_label("second");
        atomic_store(&want[1], 0);
    }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    for (;;) {
        atomic_store(&want[0], 1);
        while (atomic_load(&want[1]))
            ;
        tp_label("first");
        atomic_store(&want[0], 0);
    }
}
