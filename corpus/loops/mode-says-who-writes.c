// Which of two threads writes a variable is decided by an input before they start.
// expect: race=safe
// loops: by inputs
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static int rounds, mode, shared;

static void *first(void *arg) {
    for (int i = 0; i < rounds; i++) {
        if (mode == 0)
            shared++;
    }
    return arg;
}

static void *second(void *arg) {
    for (int i = 0; i < rounds; i++) {
        if (mode > 0)
            shared--;
    }
    return arg;
}

int main(void) {
    pthread_t threads[2];
    rounds = __VERIFIER_nondet_int();
    mode = __VERIFIER_nondet_int();
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
