// When main returns, a thread that is still running just stops, at any point.
// expect: default=safe overflow=safe leak=safe
// final-states: 3
// (the worker stored nothing, the first, or both values)
#include <pthread.h>
#include <stdatomic.h>

static atomic_int step;

static void *worker(void *arg) {
    (void)arg;
    step = 1;
    step = 2;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    return 0;
}
