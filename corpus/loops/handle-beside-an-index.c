// The handle of a thread is loaded into the register in which an index was computed that depends on
// an input: the main thread waits for the thread all the same.
// expect: assert=safe memory=safe deadlock=safe
// loops: by inputs
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);

static int n;
static int *cells;

static void *fill(void *arg) {
    for (int i = 0; i < n; i++)
        cells[i] = 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 0 && n < 100);
    cells = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++)
        cells[i] = 0;
    pthread_create(&thread, 0, fill, 0);
    pthread_join(thread, 0);
    assert(cells[n - 1] == 1);
    return 0;
}
