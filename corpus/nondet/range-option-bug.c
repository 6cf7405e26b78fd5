// One of the values in the range given on the command line breaks the assertion.
// expect: assert=unsafe
// options: --nondet-range=0..3

#include <assert.h>

#include "threadproof.h"

int main(void)
{
    int x = tp_nondet_int();
    int y = x * x - 3 * x;
    assert(y != -2); //~ assert
    return 0;
}
