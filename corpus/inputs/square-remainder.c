// The sum of two squares never leaves the remainder 3 modulo 4.
// expect: assert=safe
// inputs: too many

#include <assert.h>

#include "threadproof.h"

int main(void)
{
    unsigned x = tp_nondet_uint(), y = tp_nondet_uint();
    unsigned sum = x * x + y * y;
    assert((sum & 3) != 3);
    return 0;
}
