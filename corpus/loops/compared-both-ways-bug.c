// Two threads compare the same two words, each from its own side; the loops go on as long as an
// input says, but never beyond the six letters that words have.
// The second one looks at letters from the end, so that they may find different letters first.
// expect: assert=unsafe
// loops: by inputs
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);

enum { LETTERS = 6 };

static int left[LETTERS], right[LETTERS];
static int place_1, place_2, order_1, order_2;

static void *forwards(void *arg) {
    (void)arg;
    place_1 = 0;
    while (place_1 < LETTERS && order_1 == 0 && __VERIFIER_nondet_bool()) {
        order_1 = left[place_1] < right[place_1] ? -1 : left[place_1] > right[place_1] ? 1 : 0;
        place_1++;
    }
    return 0;
}

static void *backwards(void *arg) {
    (void)arg;
    place_2 = 0;
    while (place_2 < LETTERS && order_2 == 0 && __VERIFIER_nondet_bool()) {
        order_2 = right[LETTERS - 1 - place_2] < left[LETTERS - 1 - place_2] ? -1
                    : right[LETTERS - 1 - place_2] > left[LETTERS - 1 - place_2] ? 1 : 0;
        place_2++;
    }
    return 0;
}

int main(void) {
    for (int i = 0; i < LETTERS; i++) {
    left[i] = __VERIFIER_nondet_int();
    right[i] = __VERIFIER_nondet_int();
    }
    place_1 = __VERIFIER_nondet_int();
    place_2 = __VERIFIER_nondet_int();
    pthread_t a, b;
    pthread_create(&a, 0, forwards, 0);
    pthread_create(&b, 0, backwards, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (order_1 != 0 && order_2 != 0) assert(order_1 == -order_2); //~ assert
    return 0;
}
