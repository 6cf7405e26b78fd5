// A door is never open while the lift moves; but it may find the lift moving whenever it wants to
// open.
// ltl: safe none G !"open == 1 && moving == 1"
// ltl: unsafe weak F "open == 1"
// ltl: unsafe strong F "open == 1"
// ltl: safe weak G F "open == 0"
// ltl: safe none G ("open == 1" -> ("moving == 0" W "open == 0"))
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
atomic_int open, moving;

/* Sets one of the two, unless the other is set. */
static void set(atomic_int *mine, atomic_int *other) {
    pthread_mutex_lock(&mutex);
    if (!atomic_load(other))
        atomic_store(mine, 1);
    pthread_mutex_unlock(&mutex);
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
