// A loop that runs a negative number of times does not run.
// expect: assert=unsafe
// loops: by inputs
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);

static int n, m;
static _Atomic int level;

static void *first(void *arg) {
    for (int i = 0; i < n; i++)
        level++;
    return arg;
}

static void *second(void *arg) {
    for (int i = 0; i < m; i++)
        level--;
    return arg;
}

int main(void) {
    pthread_t threads[2];
    n = __VERIFIER_nondet_int();
    m = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0);
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(level == n - m); //~ assert
    return 0;
}
