// An input divides unless it is zero, and its neighbour too.
// expect: arithmetic=unsafe
// inputs: too many

#include "threadproof.h"

int main(void)
{
    int x = tp_nondet_int();
    if (x != 0)
        return 100 / (x + 1); //~ arithmetic
    return 0;
}
