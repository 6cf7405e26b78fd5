// A server that runs for ever, whose client gives up: it then goes round without work.
// expect: livelock=unsafe
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>
atomic_int request;
void *server(void *unused) {
    for (;;) {
        if (atomic_exchange(&request, 0)) tp_progress(); //~ livelock
    }
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, server, 0);
    request = 1;
    pthread_exit(0);
}
