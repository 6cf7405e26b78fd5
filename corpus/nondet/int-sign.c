// A nondeterministic int that is only compared with zero: three cases.
// expect: default=safe overflow=safe
// final-states: 3

#include "threadproof.h"

static int sign;

int main(void)
{
    int x = tp_nondet_int();
    if (x < 0)
        sign = -1;
    else if (x > 0)
        sign = 1;
    return 0;
}
