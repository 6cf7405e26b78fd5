// Three values from 0 to 2 are sorted: ten sorted triples.
// expect: default=safe overflow=safe
// final-states: 10

#include <assert.h>

#include "threadproof.h"

static int values[3];

static void order(int *a, int *b)
{
    if (*a > *b) {
        int t = *a;
        *a = *b;
        *b = t;
    }
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        int x = tp_nondet_int();
        tp_assume(x >= 0 && x <= 2);
        values[i] = x;
    }
    order(&values[0], &values[1]);
    order(&values[1], &values[2]);
    order(&values[0], &values[1]);
    assert(values[0] <= values[1] && values[1] <= values[2]);
    return 0;
}
