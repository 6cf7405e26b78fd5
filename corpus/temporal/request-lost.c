// The server forgets a request that comes while it answers the one before.
// ltl: unsafe weak G ("requests > served" -> F "requests == served")
// ltl: unsafe strong G ("requests > served" -> F "requests == served")
// ltl: safe weak F terminated
// ltl: safe none G "served <= requests"
// ltl: unsafe weak F (terminated && "requests == served")
// ltl: safe weak F (terminated && "requests == 2")
#include <pthread.h>
#include <stdatomic.h>

atomic_int pending, requests, served, over;

void *server(void *arg) {
    while (!atomic_load(&over)) {
        if (atomic_exchange(&pending, 0))
            atomic_fetch_add(&served, 1);
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, server, 0);
    for (int i = 0; i < 2; i++) {
        atomic_fetch_add(&requests, 1);
        atomic_store(&pending, 1);
    }
    while (atomic_load(&pending))
        ;
    atomic_store(&over, 1);
    pthread_join(thread, 0);
}
