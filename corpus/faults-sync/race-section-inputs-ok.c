// The same with both accesses in sections: nothing races.
// options: --nondet-range=0..3
// expect: race=safe memory=safe assert=safe deadlock=safe
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int first, second;

static void *inside(void *arg) {
    (void)arg;
    __VERIFIER_atomic_begin();
    first = 1;
    int which = __VERIFIER_nondet_int();
    if (which == 2)
        second = 1;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, inside, NULL);
    __VERIFIER_atomic_begin();
    second = 2;
    __VERIFIER_atomic_end();
    pthread_join(t, NULL);
    return first + second == 0;
}
