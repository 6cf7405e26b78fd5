// A zero-width bit-field between two bit-fields puts them into different memory locations.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

static struct {
    unsigned ready : 1;
    unsigned : 0;
    unsigned failed : 1;
} state;

static void *set_ready(void *arg) {
    (void)arg;
    state.ready = 1;
    return NULL;
}

static void *set_failed(void *arg) {
    (void)arg;
    state.failed = 1;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, set_ready, NULL);
    pthread_create(&b, NULL, set_failed, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(state.ready && state.failed);
    return 0;
}
