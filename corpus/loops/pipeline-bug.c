// The third thread does not wait for the second, but for the first.
// expect: assert=unsafe
// loops: by inputs
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int first_done, second_done, third_done, n;

static void *first(void *arg) {
    for (int i = 0; i < n; i++) {
        __VERIFIER_atomic_begin();
        first_done++;
        __VERIFIER_atomic_end();
    }
    return arg;
}

static void *second(void *arg) {
    for (int i = 0; i < n; i++) {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(second_done < first_done);
        second_done++;
        __VERIFIER_atomic_end();
    }
    return arg;
}

static void *third(void *arg) {
    for (int i = 0; i < n; i++) {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(third_done < first_done);
        third_done++;
        assert(third_done <= second_done); //~ assert
        __VERIFIER_atomic_end();
    }
    return arg;
}

int main(void) {
    pthread_t threads[3];
    n = __VERIFIER_nondet_int();
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_create(&threads[2], 0, third, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
