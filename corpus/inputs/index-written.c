// An array written at an input holds the value there and nowhere else.
// expect: assert=safe memory=safe

#include <assert.h>

#include "threadproof.h"

static int cells[8];

int main(void)
{
    unsigned i = tp_nondet_uint(), j = tp_nondet_uint();
    tp_assume(i < 8 && j < 8);
    cells[i] = 1;
    assert(cells[j] == (i == j));
    return 0;
}
