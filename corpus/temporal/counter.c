// A counter goes round while another thread watches it.
// ltl: safe weak G F "n == 0"
// ltl: unsafe none G F "n == 0"
// ltl: safe none G ("n == 1" -> ("n == 1" W "n == 2"))
// ltl: unsafe weak G F watched
// ltl: unsafe strong G F watched
// ltl: safe weak G F "n == 1" && !F G "n == 1"
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

atomic_int n;

void *watcher(void *arg) {
    for (;;)
        if (atomic_load(&n) == 2)
            tp_label("watched");
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, watcher, 0);
    for (int next = 1;; next = (next + 1) % 3)
        atomic_store(&n, next);
}
