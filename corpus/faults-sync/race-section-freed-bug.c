// An atomic section that reads an input after its access races with a free
// outside of any section. The free cannot be taken while the section waits for
// its input, and an access after the free is a fault of memory.
// expect: race=unsafe memory=unsafe assert=safe deadlock=safe
#include <pthread.h>
#include <stdlib.h>

_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int *cell;

static void *inside(void *arg) {
    (void)arg;
    __VERIFIER_atomic_begin();
    *cell = 1; //~ memory
    if (__VERIFIER_nondet_bool())
        *cell = 2; //~ memory
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void) {
    cell = malloc(sizeof *cell);
    if (!cell)
        return 0;
    *cell = 0;
    pthread_t t;
    pthread_create(&t, NULL, inside, NULL);
    free(cell); //~ race
    pthread_join(t, NULL);
    return 0;
}
