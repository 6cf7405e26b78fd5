// A variable is used after the claim is given up.
// expect: race=unsafe
// loops: by inputs
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int rounds, busy, shared;

static int claim(void) {
    pthread_mutex_lock(&lock);
    int is_free = !busy;
    if (is_free)
        busy = 1;
    pthread_mutex_unlock(&lock);
    return is_free;
}

static void release(void) {
    pthread_mutex_lock(&lock);
    busy = 0;
    pthread_mutex_unlock(&lock);
}

static void *first(void *arg) {
    for (int i = 0; i < rounds; i++) {
        if (claim()) {
            release();
            shared++; //~ race
        }
    }
    return arg;
}

static void *second(void *arg) {
    for (int i = 0; i < rounds; i++) {
        if (claim()) {
            shared++; //~ race
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
