// The middle computed with a sum that overflows for large inputs.
// expect: assert=unsafe
// inputs: too many

#include <assert.h>

#include "threadproof.h"

int main(void)
{
    int low = tp_nondet_int(), high = tp_nondet_int();
    tp_assume(0 <= low && low <= high);
    int middle = (int)((unsigned)low + (unsigned)high) / 2;
    assert(low <= middle); //~ assert
    return 0;
}
