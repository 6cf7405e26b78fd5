// main sets up the configuration before it starts the thread that reads it.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

static int limit;

static void *worker(void *arg) {
    (void)arg;
    int l = limit;
    assert(l == 10);
    return NULL;
}

int main(void) {
    pthread_t t;
    limit = 10;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}
