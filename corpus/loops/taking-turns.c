// Two threads take turns by a flag: what one does the other undoes.
// expect: assert=safe
// loops: by inputs
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

static _Atomic int turn;
static int rounds, work;

static void *first(void *arg) {
    for (int i = 0; i < rounds; i++) {
        while (turn != 0)
            ;
        work++;
        turn = 1;
    }
    return arg;
}

static void *second(void *arg) {
    for (int i = 0; i < rounds; i++) {
        while (turn != 1)
            ;
        work--;
        assert(work == 0);
        turn = 0;
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
