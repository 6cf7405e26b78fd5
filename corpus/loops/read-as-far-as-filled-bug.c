// An array is read one cell further than it is filled.
// expect: race=unsafe
// loops: by inputs
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);

static int n, seen;
static _Atomic int filled;
static char *cells;

static void *first(void *arg) {
    for (int i = 0; i < n; i++) {
        cells[i] = 1; //~ race
        filled = i + 1;
    }
    return arg;
}

static void *second(void *arg) {
    for (int i = 0; i < n; i++) {
        while (filled < i)
            ;
        seen += cells[i]; //~ race
    }
    return arg;
}

int main(void) {
    pthread_t threads[2];
    n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 0 && n <= 1000);
    cells = malloc(n);
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
