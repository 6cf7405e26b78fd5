// A cell is given back before it is read.
// expect: race=unsafe
// loops: by inputs
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

static _Atomic int full;
static int rounds, cell, sum;

static void *first(void *arg) {
    for (int i = 0; i < rounds; i++) {
        while (full)
            ;
        cell = i; //~ race
        full = 1;
    }
    return arg;
}

static void *second(void *arg) {
    for (int i = 0; i < rounds; i++) {
        while (!full)
            ;
        full = 0;
        sum += cell; //~ race
    }
    return arg;
}

int main(void) {
    pthread_t threads[2];
    rounds = __VERIFIER_nondet_int();
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
