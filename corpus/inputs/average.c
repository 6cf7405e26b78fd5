// The mean of two inputs without their sum lies between them.
// expect: assert=safe
// inputs: too many

#include <assert.h>

#include "threadproof.h"

int main(void)
{
    unsigned a = tp_nondet_uint(), b = tp_nondet_uint();
    unsigned mean = (a & b) + ((a ^ b) >> 1);
    unsigned low = a < b ? a : b, high = a < b ? b : a;
    assert(low <= mean && mean <= high);
    return 0;
}
