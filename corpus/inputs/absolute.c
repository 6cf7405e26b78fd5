// Every other integer has an absolute value.
// expect: assert=safe overflow=safe
// inputs: too many

#include <assert.h>

#include "threadproof.h"

int main(void)
{
    int x = tp_nondet_int();
    tp_assume(x > -2147483647 - 1);
    int y = x < 0 ? -x : x;
    assert(y >= 0);
    return 0;
}
