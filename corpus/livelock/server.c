// A server that runs for ever says that it gets on with its work.
// expect: livelock=safe
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>
atomic_int request;
void *server(void *unused) {
    for (;;) {
        if (atomic_exchange(&request, 0)) tp_progress();
    }
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, server, 0);
    for (;;) request = 1;
    return 0;
}
