// What is done in an atomic section is seen at once when the section ends.
// expect: assert=safe
// tso: assert=safe
// pso: assert=safe
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x, y, r0, r1;

void *thread(void *unused) {
    __VERIFIER_atomic_begin();
    x = 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    r0 = y;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    __VERIFIER_atomic_begin();
    y = 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    r1 = x;
    __VERIFIER_atomic_end();
    pthread_join(t, 0);
    assert(r0 || r1);
    return 0;
}
