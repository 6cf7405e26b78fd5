// Two bit-fields share a word: writing one of them writes the other back as well.
// expect: race=unsafe assert=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

static struct {
    unsigned ready : 1;
    unsigned failed : 1;
} state;

static void *set_ready(void *arg) {
    (void)arg;
    state.ready = 1; //~ race
    return NULL;
}

static void *set_failed(void *arg) {
    (void)arg;
    state.failed = 1; //~ race
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, set_ready, NULL);
    pthread_create(&b, NULL, set_failed, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(state.ready && state.failed); //~ assert
    return 0;
}
