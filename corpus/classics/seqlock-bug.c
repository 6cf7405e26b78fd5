// A sequence lock whose reader does not look at the sequence number again.
// expect: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int low, high;

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
    while (sequence % 2 != 0)
        ;
    int l = low;
    int h = high;
    assert(l == h); //~ assert
    return NULL;
}

int main(void) {
    pthread_t w, r;
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    return 0;
}
