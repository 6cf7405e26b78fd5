// A sum is read in the last round.
// expect: race=unsafe
// loops: by inputs
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);

static _Atomic int done;
static int rounds, sum, seen;

static void *first(void *arg) {
    for (int i = 0; i < rounds; i++) {
        sum += i; //~ race
        done++;
    }
    return arg;
}

static void *second(void *arg) {
    if (done == rounds - 1)
        seen = sum; //~ race
    return arg;
}

int main(void) {
    pthread_t threads[2];
    rounds = __VERIFIER_nondet_int();
    __VERIFIER_assume(rounds > 0);
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
