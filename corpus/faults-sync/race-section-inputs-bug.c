// An atomic section whose access depends on an input races with an access
// outside of any section.
// options: --nondet-range=0..3
// expect: race=unsafe memory=safe assert=safe deadlock=safe
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
        second = 1; //~ race
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, inside, NULL);
    second = 2; //~ race
    pthread_join(t, NULL);
    return first + second == 0;
}
