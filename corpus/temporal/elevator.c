// A lift goes up and down between three floors and opens its door where it was called.
// ap: called=called == 1
// ap: there=level == 2 && open == 1
// ltl: safe weak G (called -> F there)
// ltl: unsafe none G (called -> F there)
// ltl: safe weak G F "level == 0"
// ltl: unsafe none G F "level == 0"
// ltl: safe none G (there -> ("level == 2" W "open == 0"))
// ltl: unsafe weak F G "open == 0"
#include <pthread.h>
#include <stdatomic.h>

atomic_int level, open, called;

static void visit(int floor) {
    atomic_store(&level, floor);
    if (floor == 2 && atomic_load(&called)) {
        atomic_store(&open, 1);
        atomic_store(&called, 0);
        atomic_store(&open, 0);
    }
}

void *lift(void *arg) {
    for (;;) {
        visit(0);
        visit(1);
        visit(2);
        visit(1);
    }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, lift, 0);
    for (;;)
        if (!atomic_load(&called))
            atomic_store(&called, 1);
}
