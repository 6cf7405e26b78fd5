// The second part begins one too late.
// expect: assert=unsafe
// loops: by inputs
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);

static int n, m;
static unsigned int total, low, high;

static void *all(void *arg) {
    for (int i = 0; i < n; i++)
        total += i;
    return arg;
}

static void *front(void *arg) {
    for (int i = 0; i < m; i++)
        low += i;
    return arg;
}

static void *back(void *arg) {
    for (int i = m + 1; i < n; i++)
        high += i;
    return arg;
}

int main(void) {
    n = __VERIFIER_nondet_int();
    m = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= m && m <= n && n < 1000);
    pthread_t t[3];
    pthread_create(&t[0], 0, all, 0);
    pthread_create(&t[1], 0, front, 0);
    pthread_create(&t[2], 0, back, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    pthread_join(t[2], 0);
    assert(total == low + high);
    return 0;
}
