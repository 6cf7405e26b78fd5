// Two threads add up the same numbers, each in bags of its own size: what is in the sum and in the
// bag together is the same.
// expect: assert=safe
// loops: by inputs
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);

static unsigned *numbers;
static int n;
static unsigned sum_1, bag_1, full_1, sum_2, bag_2, full_2;

static void *first(void *arg) {
    for (int i = 0; i < n; i++) {
        bag_1 += numbers[i];
        if (bag_1 > full_1) {
            sum_1 += bag_1;
            bag_1 = 0;
        }
    }
    sum_1 += bag_1;
    return arg;
}

static void *second(void *arg) {
    for (int i = 0; i < n; i++) {
        bag_2 += numbers[i];
        if (bag_2 > full_2) {
            sum_2 += bag_2;
            bag_2 = 0;
        }
    }
    sum_2 += bag_2;
    return arg;
}

int main(void) {
    n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000000)
        return 0;
    numbers = malloc(n * sizeof *numbers);
    for (int i = 0; i < n; i++)
        numbers[i] = __VERIFIER_nondet_uint();
    full_1 = __VERIFIER_nondet_uint();
    full_2 = __VERIFIER_nondet_uint();
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(sum_1 == sum_2);
    return 0;
}
