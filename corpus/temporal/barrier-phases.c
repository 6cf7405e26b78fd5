// Two threads go from phase to phase together.
// ltl: safe none G F "at[0] == 1 && at[1] == 1"
// ltl: safe none G F "at[0] == 0 && at[1] == 0"
// ltl: safe weak G ("at[0] == 1" -> F "at[1] == 1")
// ltl: unsafe none G ("at[0] == 1" -> "at[1] == 1")
// ltl: unsafe weak F G "at[0] == 1"
#include <pthread.h>
#include <stdatomic.h>

pthread_barrier_t barrier;
atomic_int at[2];

static void phases(int me) {
    for (;;) {
        atomic_store(&at[me], 1);
        pthread_barrier_wait(&barrier);
        atomic_store(&at[me], 0);
        pthread_barrier_wait(&barrier);
    }
}

void *second(void *arg) {
    phases(1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&thread, 0, second, 0);
    phases(0);
}
