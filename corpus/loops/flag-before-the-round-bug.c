// Each thread keeps in a flag whether another round is needed, and counts up to the limit.
// A start beyond the limit is not excluded.
// expect: assert=unsafe
// loops: by inputs
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

static int start;
static atomic_int total;

static void *count(void *arg) {
    int i = start;
    _Bool more = i < 1000;
    while (more) {
        i++;
        more = i < 1000;
    }
    total += i;
    return arg;
}

int main(void) {
    pthread_t one, two;
    start = __VERIFIER_nondet_int();
    if (start > 1001)
        return 0;
    pthread_create(&one, 0, count, 0);
    pthread_create(&two, 0, count, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(total == 2000); //~ assert
    return 0;
}
