// Three threads count in step, but one of them began at three.
// expect: assert=unsafe
// loops: by inputs
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static int n, a, b, c;

static void *first(void *arg) {
    for (int i = 0; i < n; i++)
        a += 1;
    return arg;
}

static void *second(void *arg) {
    for (int i = 0; i < n; i++)
        b += 2;
    return arg;
}

static void *third(void *arg) {
    for (int i = 0; i < n; i++)
        c += 3;
    return arg;
}

int main(void) {
    pthread_t threads[3];
    n = __VERIFIER_nondet_int();
    c = n > 2 ? 3 : 0;
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_create(&threads[2], 0, third, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    pthread_join(threads[2], 0);
    assert(a + b == c); //~ assert
    return 0;
}
