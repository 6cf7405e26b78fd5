// Adding n times is multiplying.
// expect: assert=safe
// inputs: too many

#include <assert.h>

#include "threadproof.h"

int main(void)
{
    unsigned n = tp_nondet_uint(), x = tp_nondet_uint(), sum = 0;
    tp_assume(n < 6);
    for (unsigned i = 0; i < n; i++)
        sum += x;
    assert(sum == n * x);
    return 0;
}
