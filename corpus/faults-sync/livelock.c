// A thread that spins for a flag nobody raises never ends, but it is not blocked: no deadlock.
// expect: default=safe overflow=safe leak=safe
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool raised;

static void *waiter(void *arg) {
    (void)arg;
    while (!raised)
        ;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
    pthread_join(t, NULL);
    return 0;
}
