// Three exclusive ors swap two inputs.
// expect: assert=safe
// inputs: too many

#include <assert.h>

#include "threadproof.h"

int main(void)
{
    unsigned a = tp_nondet_uint(), b = tp_nondet_uint();
    unsigned x = a, y = b;
    x ^= y;
    y ^= x;
    x ^= y;
    assert(x == b && y == a);
    return 0;
}
