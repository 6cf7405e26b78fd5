// A loop runs as often as an input says, up to seven times.
// expect: assert=unsafe
// inputs: too many

#include <assert.h>

#include "threadproof.h"

int main(void)
{
    unsigned n = tp_nondet_uint(), x = tp_nondet_uint(), sum = 0;
    tp_assume(n < 8);
    for (unsigned i = 0; i < n; i++)
        sum += x;
    assert(sum != 21 || n != 7); //~ assert
    return 0;
}
