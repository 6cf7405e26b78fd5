// One thread writes while another reads: a data race, though the value read is never wrong.
// expect: race=unsafe assert=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
// final-states: 2
// (the reader saw 0 or 1)
#include <assert.h>
#include <pthread.h>

static int x;
static int seen;

static void *writer(void *arg) {
    (void)arg;
    x = 1; //~ race
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    seen = x; //~ race
    return NULL;
}

int main(void) {
    pthread_t w, r;
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    assert(seen == 0 || seen == 1);
    return 0;
}
