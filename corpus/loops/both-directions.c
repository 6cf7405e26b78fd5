// One thread counts two counters up together, another down together: they are equal in the end.
// expect: assert=safe
// loops: by inputs
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int n, left, right;

static void *up(void *arg) {
    for (int i = 0; i < n; i++) {
        __VERIFIER_atomic_begin();
        left++;
        right++;
        __VERIFIER_atomic_end();
    }
    return arg;
}

static void *down(void *arg) {
    for (int i = 0; i < n; i++) {
        __VERIFIER_atomic_begin();
        left--;
        right--;
        __VERIFIER_atomic_end();
    }
    return arg;
}

int main(void) {
    pthread_t first, second;
    n = __VERIFIER_nondet_int();
    pthread_create(&first, 0, up, 0);
    pthread_create(&second, 0, down, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(left == right);
    return 0;
}
