// Two threads take turns strictly. When one of them has had enough, the other waits for ever.
// ltl: safe weak F one
// ltl: unsafe none F one
// ltl: unsafe weak G F one
// ltl: unsafe strong G F one
// ltl: safe weak F G "turn == 1"
// ltl: safe none G (one -> "turn == 0")
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

atomic_int turn;

void *second(void *arg) {
    for (int i = 0; i < 2; i++) {
        while (atomic_load(&turn) != 1)
            ;
        atomic_store(&turn, 0);
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, second, 0);
    for (;;) {
        while (atomic_load(&turn) != 0)
            ;
        tp_label("one");
        atomic_store(&turn, 1);
    }
}
