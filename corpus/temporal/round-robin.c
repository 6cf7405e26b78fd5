// A dispatcher gives the turn to two workers, one after the other.
// ltl: safe weak G F one && G F two
// ltl: unsafe none G F one
// ltl: safe none G !(one && two)
// ltl: safe none G (one -> "turn == 1")
// ltl: unsafe weak G ("turn == 0" -> F G "turn == 0")
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

atomic_int turn;

void *first(void *arg) {
    for (;;) {
        while (atomic_load(&turn) != 1)
            ;
        tp_label("one");
        atomic_store(&turn, 0);
    }
}

void *second(void *arg) {
    for (;;) {
        while (atomic_load(&turn) != 2)
            ;
        tp_label("two");
        atomic_store(&turn, 0);
    }
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    for (int next = 1;; next = 3 - next) {
        while (atomic_load(&turn))
            ;
        atomic_store(&turn, next);
    }
}
