// The second thread does not let the first one go first.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

static _Atomic int wants[2], turn;
static int inside;

static void *first(void *arg) {
    while (__VERIFIER_nondet_int()) {
        wants[0] = 1;
        turn = 1;
        while (wants[1] && turn == 1)
            ;
        inside++;
        assert(inside == 1); //~ assert
        inside--;
        wants[0] = 0;
    }
    return arg;
}

static void *second(void *arg) {
    while (__VERIFIER_nondet_int()) {
        wants[1] = 1;
        while (wants[0] && turn == 0)
            ;
        inside++;
        assert(inside == 1); //~ assert
        inside--;
        wants[1] = 0;
    }
    return arg;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
