// Outside of atomic sections a counter is 0.
// expect: assert=safe
// analysis: proves assert
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x;

static void *run(void *arg) {
    __VERIFIER_atomic_begin();
    x++;
    x--;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, run, NULL);
    pthread_create(&u, NULL, run, NULL);
    __VERIFIER_atomic_begin();
    int seen = x;
    __VERIFIER_atomic_end();
    assert(seen == 0);
    return 0;
}
