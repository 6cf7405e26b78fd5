// Zero is kept out of the divisors: six quotients for six divisors.
// expect: default=safe overflow=safe
// final-states: 6

#include "threadproof.h"

static int quotient;

int main(void)
{
    int divisor = tp_nondet_int();
    tp_assume(divisor >= -3 && divisor <= 3);
    tp_assume(divisor != 0);
    quotient = 12 / divisor;
    return 0;
}
