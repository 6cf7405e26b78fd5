// The door and the motor look at each other and act later, without a lock.
// ltl: unsafe none G !"open == 1 && moving == 1"
// ltl: unsafe strong G ("open == 1" -> "moving == 0")
// ltl: safe weak G F "open == 0"
// ltl: unsafe weak F "open == 1"
#include <pthread.h>
#include <stdatomic.h>

atomic_int open, moving;

/* Sets one of the two, unless the other is set. */
static void set(atomic_int *mine, atomic_int *other) {
    if (!atomic_load(other))
        atomic_store(mine, 1);
}

void *motor(void *arg) {
    for (;;) {
        set(&moving, &open);
        atomic_store(&moving, 0);
    }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, motor, 0);
    for (;;) {
        set(&open, &moving);
        atomic_store(&open, 0);
    }
}
