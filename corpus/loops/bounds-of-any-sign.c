// One thread counts up and another down, as often as inputs say, which may be negative: a loop
// that does not run leaves nothing behind.
// expect: assert=safe
// loops: by inputs
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

static int ups, downs;
static atomic_uint total;

static void *up(void *arg) {
    for (int i = 0; i < ups; i++)
        total++;
    return arg;
}

static void *down(void *arg) {
    for (int i = 0; i < downs; i++)
        total--;
    return arg;
}

int main(void) {
    ups = __VERIFIER_nondet_int();
    downs = __VERIFIER_nondet_int();
    pthread_t first, second;
    pthread_create(&first, 0, up, 0);
    pthread_create(&second, 0, down, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    unsigned added = ups > 0 ? (unsigned)ups : 0;
    unsigned taken = downs > 0 ? (unsigned)downs : 0;
    assert(total == added - taken);
    return 0;
}
