// One of two counters begins one too high, which shows only if there is no round.
// expect: assert=unsafe
// loops: by inputs
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static int n, a, b;

static void *first(void *arg) {
    for (int i = 0; i < n; i++)
        a++;
    return arg;
}

static void *second(void *arg) {
    for (int i = 0; i < n; i++)
        b++;
    return arg;
}

int main(void) {
    pthread_t threads[2];
    n = __VERIFIER_nondet_int();
    b = n == 5;
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(a == b); //~ assert
    return 0;
}
