// The second message may be written over the first before that is read.
// ltl: unsafe weak F "seen == 1"
// ltl: unsafe strong F "seen == 1"
// ltl: safe weak F "seen == 2"
// ltl: unsafe none F "seen == 2"
// ltl: safe none G ("seen == 2" -> G "seen == 2")
// ltl: safe none !"seen == 2" W "letter == 2"
#include <pthread.h>
#include <stdatomic.h>

atomic_int letter, seen;

void *writer(void *arg) {
    atomic_store(&letter, 1);
    atomic_store(&letter, 2);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    while (atomic_load(&seen) != 2)
        atomic_store(&seen, atomic_load(&letter));
    pthread_join(thread, 0);
}
