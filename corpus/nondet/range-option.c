// The range of nondeterministic integers given on the command line.
// expect: assert=safe
// options: --nondet-range=0..3

#include <assert.h>

#include "threadproof.h"

int main(void)
{
    int x = tp_nondet_int();
    int y = x * x - 3 * x;
    assert(y >= -2);
    return 0;
}
