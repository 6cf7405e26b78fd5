// A loop in an atomic section keeps others from running for ever.
// ltl: unsafe weak F "go == 1"
// ltl: unsafe strong F "go == 1"
// ltl: safe none G ("go == 1" -> F "go == 1")
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

atomic_int a, go;

void *keeper(void *arg) {
    tp_atomic_begin();
    for (;;)
        atomic_store(&a, !atomic_load(&a));
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, keeper, 0);
    atomic_store(&go, 1);
}
