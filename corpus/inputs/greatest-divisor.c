// Euclid's algorithm on four-bit inputs ends with a divisor of both.
// expect: assert=safe arithmetic=safe

#include <assert.h>

#include "threadproof.h"

int main(void)
{
    unsigned a = tp_nondet_uint(), b = tp_nondet_uint();
    tp_assume(a > 0 && a < 16 && b > 0 && b < 16);
    unsigned x = a, y = b;
    while (y != 0) {
        unsigned rest = x % y;
        x = y;
        y = rest;
    }
    assert(a % x == 0 && b % x == 0);
    return 0;
}
