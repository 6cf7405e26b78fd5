// Two threads add to a sum under a lock, as often as inputs say.
// expect: assert=safe
// loops: by inputs
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);

static int n, m, sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add(int times) {
    for (int i = 0; i < times; i++) {
        pthread_mutex_lock(&lock);
        sum++;
        pthread_mutex_unlock(&lock);
    }
}

static void *first(void *arg) {
    add(n);
    return arg;
}

static void *second(void *arg) {
    add(m);
    return arg;
}

int main(void) {
    pthread_t threads[2];
    n = __VERIFIER_nondet_int();
    m = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && m >= 0);
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(sum == n + m);
    return 0;
}
