// Two threads write cells of a small array which inputs say, one of them perhaps beyond its end.
// expect: assert=unsafe memory=unsafe
// loops: by inputs
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);

#define CELLS 5

static int cells[CELLS], i, j;

static void *first(void *arg) {
    cells[i] = 2;
    cells[i] = cells[i] + 1;
    return arg;
}

static void *second(void *arg) {
    cells[j] = -2; //~ memory
    cells[j] = cells[j] - 1;
    return arg;
}

int main(void) {
    pthread_t one, two;
    i = __VERIFIER_nondet_int();
    j = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= i && i < CELLS && 0 <= j && j <= CELLS);
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(cells[i] + cells[j] == 0); //~ assert
    return 0;
}
