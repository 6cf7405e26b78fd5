// A server answers the requests of a client, one after the other.
// ap: waiting=request == 1
// ltl: safe weak G (waiting -> F !waiting)
// ltl: safe strong G (waiting -> F served)
// ltl: unsafe none G (waiting -> F !waiting)
// ltl: safe weak G F served
// ltl: unsafe none G F served
// ltl: unsafe weak F G !waiting
// ltl: safe none G "request >= 0 && request <= 1"
// ltl: unsafe weak F terminated
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

atomic_int request;

void *server(void *arg) {
    for (;;) {
        if (atomic_load(&request)) {
            atomic_store(&request, 0);
            tp_label("served");
        }
    }
}

void *client(void *arg) {
    for (;;) {
        if (!atomic_load(&request))
            atomic_store(&request, 1);
    }
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, server, 0);
    pthread_create(&b, 0, client, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
