// Two threads move amounts between two accounts under one lock: the sum stays.
// expect: assert=safe
// loops: by inputs
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned here, there, sum;

static void *to_there(void *arg) {
    while (__VERIFIER_nondet_int()) {
        unsigned amount = (unsigned)__VERIFIER_nondet_int();
        pthread_mutex_lock(&lock);
        here -= amount;
        there += amount;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *auditor(void *arg) {
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&lock);
        assert(here + there == sum);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void) {
    pthread_t first, second;
    here = (unsigned)__VERIFIER_nondet_int();
    there = (unsigned)__VERIFIER_nondet_int();
    sum = here + there;
    pthread_create(&first, 0, to_there, 0);
    pthread_create(&second, 0, auditor, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
