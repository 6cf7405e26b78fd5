// A structure of eight bytes is loaded and stored as a whole if it is _Atomic.
// expect: default=safe overflow=safe leak=safe
// final-states: 2
// (seen before or after the update)
#include <assert.h>
#include <pthread.h>

struct pair {
    int low, high;
};

static _Atomic struct pair shared;
static struct pair seen;

static void *writer(void *arg) {
    (void)arg;
    shared = (struct pair){1, 1};
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    seen = shared;
    return NULL;
}

int main(void) {
    pthread_t w, r;
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    assert(seen.low == seen.high);
    return 0;
}
