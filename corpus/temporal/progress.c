// A loop that says that it goes on.
// ltl: safe weak G F progress
// ltl: unsafe none G F progress
// ltl: unsafe weak F G !progress
// ltl: safe weak G F "x == 1" && G F "x == 0"
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

atomic_int x;

void *loop(void *arg) {
    for (;;) {
        atomic_store(&x, 1);
        tp_progress();
        atomic_store(&x, 0);
    }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, loop, 0);
    for (;;)
        atomic_load(&x);
}
