// Store buffering: with sequentially consistent atomics at least one thread sees the other's store.
// expect: default=safe overflow=safe leak=safe
// final-states: 3
// (r0, r1) is (0,1), (1,0) or (1,1)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r0, r1;

static void *left(void *arg) {
    (void)arg;
    x = 1;
    r0 = y;
    return NULL;
}

static void *right(void *arg) {
    (void)arg;
    y = 1;
    r1 = x;
    return NULL;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, NULL, left, NULL);
    pthread_create(&r, NULL, right, NULL);
    pthread_join(l, NULL);
    pthread_join(r, NULL);
    assert(r0 == 1 || r1 == 1);
    return 0;
}
