// The smallest integer has no absolute value.
// expect: assert=unsafe overflow=unsafe
// inputs: too many

#include <assert.h>

#include "threadproof.h"

int main(void)
{
    int x = tp_nondet_int();
    int y = x < 0 ? -x : x; //~ overflow
    assert(y >= 0); //~ assert
    return 0;
}
