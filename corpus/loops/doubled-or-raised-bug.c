// Additions commute with each other, but not with doubling.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static unsigned x = 1;

static void *raises(void *arg) {
    for (int i = 0; i < 3; i++) {
        __VERIFIER_atomic_begin();
        x += 2;
        __VERIFIER_atomic_end();
    }
    return arg;
}

static void *doubles(void *arg) {
    __VERIFIER_atomic_begin();
    x *= 2;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, raises, 0);
    pthread_create(&b, 0, doubles, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x != 10);
    return 0;
}
