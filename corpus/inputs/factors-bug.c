// Two threads multiply what they are given; only one pair of inputs makes the product that must not
// come out, and a solver has to search for it.
// expect: assert=unsafe
// inputs: too many
#include <assert.h>
#include <pthread.h>

unsigned short __VERIFIER_nondet_ushort(void);

static unsigned product = 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *multiply(void *unused) {
    unsigned factor = __VERIFIER_nondet_ushort();
    if (factor < 2) factor = 2;
    pthread_mutex_lock(&lock);
    product *= factor;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, multiply, 0);
    pthread_create(&other, 0, multiply, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(product != 16744463u); // 4091 * 4093
    return 0;
}
