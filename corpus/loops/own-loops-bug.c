// One of two loops that no other thread can observe stops after seven rounds.
// expect: assert=unsafe
// loops: by inputs
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static int n, x, y;

static int twice(int times) {
    int sum = 0;
    for (int i = 0; i < times; i++)
        sum += 2;
    return sum;
}

static void *first(void *arg) {
    x = twice(n);
    return arg;
}

static void *second(void *arg) {
    int sum = 0;
    for (int i = 0; i < n && i < 7; i++)
        sum += 2;
    y = sum;
    return arg;
}

int main(void) {
    pthread_t threads[2];
    n = __VERIFIER_nondet_int();
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(x == y); //~ assert
    return 0;
}
