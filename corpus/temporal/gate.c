// Two runners wait for a gate to open; who comes in first is open.
// ltl: safe weak F "in[0] == 1 && in[1] == 1"
// ltl: unsafe none F "in[0] == 1"
// ltl: safe none !"in[0] == 1" W "gate == 1"
// ltl: unsafe weak G ("in[1] == 1" -> "in[0] == 1")
// ltl: unsafe strong !"in[0] == 1" U "in[1] == 1"
#include <pthread.h>
#include <stdatomic.h>

atomic_int gate, in[2];

void *runner(void *arg) {
    while (!atomic_load(&gate))
        ;
    atomic_store((atomic_int *)arg, 1);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, runner, &in[i]);
    atomic_store(&gate, 1);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
}
