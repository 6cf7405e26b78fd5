// Row and column from inputs address one cell of a flat array.
// expect: assert=safe memory=safe

#include <assert.h>

#include "threadproof.h"

static short cells[4][5];

int main(void)
{
    unsigned row = tp_nondet_uint() % 4, column = tp_nondet_uint() % 5;
    cells[row][column] = 7;
    assert(((short *)cells)[row * 5 + column] == 7);
    return 0;
}
