// Zero is among the divisors.
// expect: arithmetic=unsafe assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe

#include "threadproof.h"

int main(void)
{
    int divisor = tp_nondet_int();
    tp_assume(divisor >= -1 && divisor <= 1);
    return 12 / divisor; //~ arithmetic
}
