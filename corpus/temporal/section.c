// An atomic section keeps other threads from running; its steps are seen nevertheless, and
// it does not make others lose their turn.
// ltl: safe weak F "go == 1"
// ltl: unsafe none F "go == 1"
// ltl: unsafe weak G "a == b"
// ltl: safe weak G ("a != b" -> F "a == b")
// ltl: safe none G ("a != b" -> "go == 0") || F "go == 1"
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

atomic_int a, b, go;

void *pair(void *arg) {
    while (!atomic_load(&go)) {
        tp_atomic_begin();
        atomic_store(&a, !atomic_load(&a));
        atomic_store(&b, atomic_load(&a));
        tp_atomic_end();
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, pair, 0);
    atomic_store(&go, 1);
    pthread_join(thread, 0);
}
