// A variable is claimed in an atomic section and used outside.
// expect: race=safe
// loops: by inputs
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int rounds, busy, shared;

static int claim(void) {
    __VERIFIER_atomic_begin();
    int is_free = !busy;
    if (is_free)
        busy = 1;
    __VERIFIER_atomic_end();
    return is_free;
}

static void release(void) {
    __VERIFIER_atomic_begin();
    busy = 0;
    __VERIFIER_atomic_end();
}

static void *first(void *arg) {
    for (int i = 0; i < rounds; i++) {
        if (claim()) {
            shared++;
            release();
        }
    }
    return arg;
}

static void *second(void *arg) {
    for (int i = 0; i < rounds; i++) {
        if (claim()) {
            shared++;
            release();
        }
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
