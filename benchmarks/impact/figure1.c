/* Two threads write the cells of one array; which ones, inputs say. The cells are not the
   same, so the writes are independent. */
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);

#define CELLS 4

static int cells[CELLS], i, j;

static void *first(void *arg) {
    cells[i] = 2;
    return arg;
}

static void *second(void *arg) {
    cells[j] = -2;
    return arg;
}

int main(void) {
    pthread_t threads[2];
    i = __VERIFIER_nondet_int();
    j = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= i && i < CELLS && 0 <= j && j < CELLS && i != j);
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(cells[i] + cells[j] == 0);
    return 0;
}
