// A nondeterministic int with a range assumed right after it takes each value of the range.
// expect: default=safe overflow=safe
// final-states: 4

#include <assert.h>

#include "threadproof.h"

static int square;

int main(void)
{
    int x = tp_nondet_int();
    tp_assume(x >= 0 && x < 4);
    square = x * x;
    assert(square != 2 && square <= 9);
    return 0;
}
