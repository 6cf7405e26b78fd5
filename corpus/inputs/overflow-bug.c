// A product of inputs within their ranges overflows.
// expect: overflow=unsafe
// inputs: too many

#include "threadproof.h"

int main(void)
{
    int a = tp_nondet_int(), b = tp_nondet_int();
    tp_assume(a > 0 && a < 50000 && b > 0 && b < 50000);
    return a * b == 0; //~ overflow
}
