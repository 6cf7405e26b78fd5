// Three stages hand on what they get, one piece at a time.
// ltl: safe weak G F out
// ltl: unsafe none G F out
// ltl: safe weak G ("first == 1" -> F "second == 1")
// ltl: unsafe weak G ("second == 1" -> "first == 0")
// ltl: safe none G (out -> "second == 1")
// ltl: unsafe none G ("second == 1" -> F out)
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

atomic_int first, second;

void *source(void *arg) {
    for (;;)
        if (!atomic_load(&first))
            atomic_store(&first, 1);
}

void *sink(void *arg) {
    for (;;)
        if (atomic_load(&second)) {
            tp_label("out");
            atomic_store(&second, 0);
        }
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, source, 0);
    pthread_create(&b, 0, sink, 0);
    for (;;)
        if (atomic_load(&first) && !atomic_load(&second)) {
            atomic_store(&first, 0);
            atomic_store(&second, 1);
        }
}
