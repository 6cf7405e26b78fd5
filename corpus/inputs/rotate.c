// Rotating left and right by the same input gives the value back.
// expect: assert=safe arithmetic=safe
// inputs: too many

#include <assert.h>

#include "threadproof.h"

int main(void)
{
    unsigned x = tp_nondet_uint(), n = tp_nondet_uint() & 31;
    unsigned left = x << n | x >> (-n & 31);
    unsigned back = left >> n | left << (-n & 31);
    assert(back == x);
    return 0;
}
