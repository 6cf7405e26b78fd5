// The client does not wait until the acknowledgement is taken back: the server may find a
// request whenever it looks, and never take it back.
// ap: asks=req == 1
// ap: answers=ack == 1
// ltl: unsafe weak G F !answers
// ltl: unsafe strong G F !answers
// ltl: safe weak G F !asks
// ltl: safe weak F answers
// ltl: unsafe none F answers
// ltl: unsafe none G ((!asks && !answers) -> (!answers W asks))
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
    }
}
