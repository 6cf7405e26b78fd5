// Two threads take turns for ever.
// ap: left=turn == 0
// ap: right=turn == 1
// ltl: safe weak G F left && G F right
// ltl: unsafe none G F left && G F right
// ltl: safe weak G (left -> left U right)
// ltl: unsafe none G (left -> left U right)
// ltl: safe none G (left -> left W right)
// ltl: safe none G (left <-> !right)
// ltl: unsafe weak F G left
// ltl: safe weak G F left <-> G F right
#include <pthread.h>
#include <stdatomic.h>

atomic_int turn;

void *player(void *arg) {
    for (;;) {
        while (atomic_load(&turn) != 1)
            ;
        atomic_store(&turn, 0);
    }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, player, 0);
    for (;;) {
        while (atomic_load(&turn) != 0)
            ;
        atomic_store(&turn, 1);
    }
}
