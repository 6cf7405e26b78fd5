// Two threads write two variables in opposite order: not both first stores can win.
// expect: default=safe overflow=safe leak=safe
// final-states: 3
// (x, y) is (1,2), (2,1) or (2,2)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *left(void *arg) {
    (void)arg;
    x = 1;
    y = 2;
    return NULL;
}

static void *right(void *arg) {
    (void)arg;
    y = 1;
    x = 2;
    return NULL;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, NULL, left, NULL);
    pthread_create(&r, NULL, right, NULL);
    pthread_join(l, NULL);
    pthread_join(r, NULL);
    assert(x == 2 || y == 2);
    return 0;
}
