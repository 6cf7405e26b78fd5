// Operations of two threads on one word that do not commute: two results.
// expect: default=safe overflow=safe leak=safe
// final-states: 2
// (starting at 6: (6 ^ 3) & 4 == 4, and (6 & 4) ^ 3 == 7)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint x = 6;

static void *flip(void *arg) {
    (void)arg;
    atomic_fetch_xor(&x, 3);
    return NULL;
}

static void *mask(void *arg) {
    (void)arg;
    atomic_fetch_and(&x, 4);
    return NULL;
}

int main(void) {
    pthread_t f, m;
    pthread_create(&f, NULL, flip, NULL);
    pthread_create(&m, NULL, mask, NULL);
    pthread_join(f, NULL);
    pthread_join(m, NULL);
    assert(x == 4 || x == 7);
    return 0;
}
