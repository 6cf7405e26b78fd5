// A handshake of four phases: request, acknowledgement, and both taken back.
// ap: asks=req == 1
// ap: answers=ack == 1
// ltl: safe weak G (asks -> F answers)
// ltl: unsafe none G (asks -> F answers)
// ltl: safe weak G F (asks && answers) && G F (!asks && !answers)
// ltl: safe none G ((!asks && !answers) -> (!answers W asks))
// ltl: unsafe weak F G asks
// ltl: safe weak G (answers -> F !asks)
#include <pthread.h>
#include <stdatomic.h>

atomic_int req, ack;

void *server(void *arg) {
    for (;;) {
        while (!atomic_load(&req))
            ;
        atomic_store(&ack, 1);
        while (atomic_load(&req))
            ;
        atomic_store(&ack, 0);
    }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, server, 0);
    for (;;) {
        atomic_store(&req, 1);
        while (!atomic_load(&ack))
            ;
        atomic_store(&req, 0);
        while (atomic_load(&ack))
            ;
    }
}
