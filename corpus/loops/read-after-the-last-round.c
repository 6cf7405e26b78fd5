// A sum is read once a counter says that the last round is over.
// expect: race=safe
// loops: by inputs
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);

static _Atomic int done;
static int rounds, sum, seen;

static void *first(void *arg) {
    for (int i = 0; i < rounds; i++) {
        sum += i;
        done++;
    }
    return arg;
}

static void *second(void *arg) {
    if (done == rounds)
        seen = sum;
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
