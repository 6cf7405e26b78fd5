// Two threads wait for each other's flag, which each stores before it waits. Fair store buffers
// commit what waits in them at some time, so that both threads go on.
// expect: assert=safe livelock=safe
// tso: assert=safe livelock=safe
// pso: assert=safe livelock=safe
#include <pthread.h>
#include <stdatomic.h>

atomic_int request, answer;

void *client(void *unused) {
    atomic_store_explicit(&request, 1, memory_order_relaxed);
    while (!atomic_load_explicit(&answer, memory_order_relaxed)) {
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, client, 0);
    while (!atomic_load_explicit(&request, memory_order_relaxed)) {
    }
    atomic_store_explicit(&answer, 1, memory_order_relaxed);
    pthread_join(thread, 0);
    return 0;
}
