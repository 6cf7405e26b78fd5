// A cell is written while it is empty and read while it is full, as often as an input says.
// expect: race=safe
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
        cell = i;
        full = 1;
    }
    return arg;
}

static void *second(void *arg) {
    for (int i = 0; i < rounds; i++) {
        while (!full)
            ;
        sum += cell;
        full = 0;
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
