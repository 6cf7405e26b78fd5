// Two threads compare elements of arrays that were filled before: each the other way round.
// expect: assert=safe
// loops: by inputs
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);

static int a, b;
static int *score_of_a, *score_of_b, *rank_of_a, *rank_of_b;
static int forwards, backwards;

static int *filled(int size) {
    int *array = malloc(sizeof(int) * (unsigned)size);
    for (int i = 0; i < size; i++)
        array[i] = __VERIFIER_nondet_int();
    return array;
}

static int order(int x, int y) {
    return x < y ? -1 : x > y;
}

static void *one(void *arg) {
    int same = score_of_a[a] == score_of_b[b];
    forwards = same ? order(rank_of_a[a], rank_of_b[b]) : order(score_of_a[a], score_of_b[b]);
    return arg;
}

static void *other(void *arg) {
    int same = score_of_b[b] == score_of_a[a];
    backwards = same ? order(rank_of_b[b], rank_of_a[a]) : order(score_of_b[b], score_of_a[a]);
    return arg;
}

int main(void) {
    a = __VERIFIER_nondet_int();
    b = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= a && a < 1000 && 0 <= b && b < 1000);
    score_of_a = filled(a + 1);
    score_of_b = filled(b + 1);
    rank_of_a = filled(a + 1);
    rank_of_b = filled(b + 1);
    pthread_t t[2];
    pthread_create(&t[0], 0, one, 0);
    pthread_create(&t[1], 0, other, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(forwards == -backwards);
    return 0;
}
