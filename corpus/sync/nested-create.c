// A thread creates and joins a thread of its own; what the inner one did is visible to main.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

static int depth;

static void *inner(void *arg) {
    (void)arg;
    depth++;
    return NULL;
}

static void *outer(void *arg) {
    pthread_t t;
    (void)arg;
    depth++;
    pthread_create(&t, NULL, inner, NULL);
    pthread_join(t, NULL);
    depth++;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, outer, NULL);
    pthread_join(t, NULL);
    assert(depth == 3);
    return 0;
}
