// Two threads write different cells of a small array, which inputs say.
// expect: assert=safe memory=safe
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
    cells[j] = -2;
    cells[j] = cells[j] - 1;
    return arg;
}

int main(void) {
    pthread_t one, two;
    i = __VERIFIER_nondet_int();
    j = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= i && i < CELLS && 0 <= j && j < CELLS && i != j);
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(cells[i] + cells[j] == 0);
    return 0;
}
