// The smaller and the larger of two values from 0 to 2: six ordered pairs.
// expect: default=safe
// final-states: 6

#include <assert.h>

#include "threadproof.h"

static int low, high;

int main(void)
{
    int x = tp_nondet_int();
    tp_assume(x >= 0 && x <= 2);
    int y = tp_nondet_int();
    tp_assume(y >= 0 && y <= 2);
    low = x < y ? x : y;
    high = x < y ? y : x;
    assert(low <= high);
    return 0;
}
