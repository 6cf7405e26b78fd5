// A check of the index against both ends.
// expect: memory=safe

#include "threadproof.h"

static int cells[8];

int main(void)
{
    int i = tp_nondet_int();
    if (i >= 0 && i < 8)
        cells[i] = 1;
    return 0;
}
