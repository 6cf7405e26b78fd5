// A sequence lock: the reader tries again if a writer came in between.
// expect: default=safe overflow=safe leak=safe
// final-states: 2
// (the reader got (0,0) or (1,1))
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence; // odd while the writer is at work
static atomic_int low, high;
static int got_low, got_high;

static void *writer(void *arg) {
    (void)arg;
    sequence++;
    low = 1;
    high = 1;
    sequence++;
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    unsigned before;
    int l, h;
    do {
        while ((before = sequence) % 2 != 0)
            ;
        l = low;
        h = high;
    } while (sequence != before);
    got_low = l;
    got_high = h;
    return NULL;
}

int main(void) {
    pthread_t w, r;
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    assert(got_low == got_high);
    return 0;
}
