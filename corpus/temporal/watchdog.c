// A watchdog raises an alarm if the worker gave no sign since it last looked. A fair worker may
// be slow all the same.
// ltl: unsafe weak G "alarm == 0"
// ltl: unsafe strong G "alarm == 0"
// ltl: safe weak G F "beat == 1"
// ltl: unsafe none G F "beat == 1"
// ltl: safe none G ("alarm == 1" -> G "alarm == 1")
#include <pthread.h>
#include <stdatomic.h>

atomic_int beat, alarm;

void *worker(void *arg) {
    for (;;)
        atomic_store(&beat, 1);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    for (;;)
        if (!atomic_exchange(&beat, 0))
            atomic_store(&alarm, 1);
}
