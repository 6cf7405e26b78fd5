// A thread creates another one and does not join it: main reads before it is done.
// expect: race=unsafe assert=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>

static int depth;

static void *inner(void *arg) {
    (void)arg;
    depth++; //~ race
    return NULL;
}

static void *outer(void *arg) {
    pthread_t t;
    (void)arg;
    depth++;
    pthread_create(&t, NULL, inner, NULL);
    pthread_detach(t);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, outer, NULL);
    pthread_join(t, NULL);
    int seen = depth;
    assert(seen == 2); //~ assert
    return 0;
}
