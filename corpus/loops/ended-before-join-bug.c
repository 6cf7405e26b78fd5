// The assertion is not behind the end of the thread that ends the process.
// expect: assert=unsafe
// loops: by inputs
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

static int rounds;
static atomic_int count;

static void *guard(void *arg) {
    if (rounds > 4)
        abort();
    return arg;
}

static void *counter(void *arg) {
    for (int i = 0; i < rounds; i++)
        count++;
    return arg;
}

int main(void) {
    rounds = __VERIFIER_nondet_int();
    pthread_t first, second;
    pthread_create(&first, 0, guard, 0);
    pthread_create(&second, 0, counter, 0);
    pthread_join(second, 0);
    assert(count < 5); //~ assert
    pthread_join(first, 0);
    return 0;
}
