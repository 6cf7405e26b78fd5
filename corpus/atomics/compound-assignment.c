// Compound assignments to an _Atomic variable are atomic, whatever the operator.
// expect: default=safe overflow=safe leak=safe
// final-states: 2
// (starting at 1: 1 * 3 + 2 == 5, and (1 + 2) * 3 == 9)
#include <assert.h>
#include <pthread.h>

static _Atomic int x = 1;

static void *times(void *arg) {
    (void)arg;
    x *= 3;
    return NULL;
}

static void *plus(void *arg) {
    (void)arg;
    x += 2;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, times, NULL);
    pthread_create(&b, NULL, plus, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 5 || x == 9);
    return 0;
}
