// A check of the index that forgets negative ones.
// expect: memory=unsafe
// inputs: too many

#include "threadproof.h"

static int cells[8];

int main(void)
{
    int i = tp_nondet_int();
    if (i < 8)
        cells[i] = 1; //~ memory
    return 0;
}
