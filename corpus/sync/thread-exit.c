// pthread_exit ends a thread from within a nested call and delivers its value to the joiner.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

static int reached;

static void leave(void *value) {
    pthread_exit(value);
}

static void *worker(void *arg) {
    leave(arg);
    reached = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    int token = 5;
    void *result = NULL;
    pthread_create(&t, NULL, worker, &token);
    pthread_join(t, &result);
    assert(result == &token);
    assert(reached == 0);
    return 0;
}
