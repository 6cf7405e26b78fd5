// A product of inputs within smaller ranges does not overflow.
// expect: overflow=safe
// inputs: too many

#include "threadproof.h"

int main(void)
{
    int a = tp_nondet_int(), b = tp_nondet_int();
    tp_assume(a > 0 && a < 40000 && b > 0 && b < 40000);
    return a * b == 0;
}
