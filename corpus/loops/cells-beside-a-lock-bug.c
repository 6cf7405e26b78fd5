// Cells in one object with a lock that only one of two threads takes, at indices that inputs say.
// expect: assert=unsafe memory=safe
// loops: by inputs
#include <assert.h>
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int condition);

#define CELLS 4

static struct {
    pthread_mutex_t lock;
    unsigned cells[CELLS];
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER};
static unsigned n, i;

static void *counts(void *arg) {
    for (unsigned k = 0; k < n; k++) {
        if (arg) pthread_mutex_lock(&shared.lock);
        shared.cells[i] = k;
        assert(shared.cells[i] == k); //~ assert
        if (arg) pthread_mutex_unlock(&shared.lock);
    }
    return arg;
}

int main(void) {
    pthread_t one, two;
    n = __VERIFIER_nondet_uint();
    i = __VERIFIER_nondet_uint();
    __VERIFIER_assume(i < CELLS);
    pthread_create(&one, 0, counts, &n);
    pthread_create(&two, 0, counts, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
