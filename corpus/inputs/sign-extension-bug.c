// A byte read as signed is not the byte that was written.
// expect: assert=unsafe

#include <assert.h>

#include "threadproof.h"

int main(void)
{
    unsigned char byte = tp_nondet_uchar();
    signed char same = (signed char)byte;
    int wide = same;
    assert(wide == byte); //~ assert
    return 0;
}
