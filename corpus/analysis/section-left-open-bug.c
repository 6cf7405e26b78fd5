// A thread that ends within an atomic section is not ordered before the next one.
// expect: race=unsafe
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x;

static void *run(void *arg) {
    __VERIFIER_atomic_begin();
    x++; //~ race
    pthread_exit(NULL);
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    __VERIFIER_atomic_begin();
    x++; //~ race
    __VERIFIER_atomic_end();
    return 0;
}
