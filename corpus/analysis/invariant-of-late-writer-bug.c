// Whether the only writer has begun is not known where its variable is read.
// expect: assert=unsafe
// options: --nondet-range=0..1
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int x;

static void *write_it(void *arg) {
    x = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    if (__VERIFIER_nondet_int()) {
        pthread_create(&t, NULL, write_it, NULL);
        pthread_join(t, NULL);
    } else {
        x = 7;
    }
    assert(x == 1); //~ assert
    return 0;
}
