// A value that only goes up: who looks twice sees no less.
// expect: assert=safe
// loops: by inputs
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

static int n;
static _Atomic int value;

static void *first(void *arg) {
    for (int i = 0; i < n; i++)
        value = i;
    return arg;
}

static void *second(void *arg) {
    int before = value;
    int after = value;
    assert(before <= after);
    return arg;
}

int main(void) {
    pthread_t threads[2];
    n = __VERIFIER_nondet_int();
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
