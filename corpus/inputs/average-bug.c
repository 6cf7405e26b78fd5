// The sum of two inputs wraps before it is halved.
// expect: assert=unsafe
// inputs: too many

#include <assert.h>

#include "threadproof.h"

int main(void)
{
    unsigned a = tp_nondet_uint(), b = tp_nondet_uint();
    unsigned mean = (a + b) / 2;
    assert(mean >= (a < b ? a : b)); //~ assert
    return 0;
}
