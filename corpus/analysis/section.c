// Atomic sections exclude each other, one within another too.
// expect: race=safe
// analysis: proves
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x;

static void add(void) {
    __VERIFIER_atomic_begin();
    x++;
    __VERIFIER_atomic_end();
}

static void *run(void *arg) {
    __VERIFIER_atomic_begin();
    add();
    x++;
    __VERIFIER_atomic_end();
    add();
    return NULL;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, run, NULL);
    pthread_create(&u, NULL, run, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return x;
}
