// An array is written at an input and read at another.
// expect: assert=unsafe memory=safe

#include <assert.h>

#include "threadproof.h"

static int cells[8];

int main(void)
{
    unsigned i = tp_nondet_uint(), j = tp_nondet_uint();
    tp_assume(i < 8 && j < 8);
    cells[i] = 1;
    assert(cells[j] == 0); //~ assert
    return 0;
}
