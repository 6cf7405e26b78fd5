// main reads the worker's result after it joined the worker.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

static int result;

static void *worker(void *arg) {
    (void)arg;
    result = 9;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    int r = result;
    assert(r == 9);
    return 0;
}
