// An input chooses which of two variables a pointer leads to.
// expect: assert=unsafe memory=safe
// inputs: too many

#include <assert.h>

#include "threadproof.h"

int main(void)
{
    int first = 0, second = 0;
    int x = tp_nondet_int();
    int *chosen = x * 3 > 10 ? &first : &second;
    *chosen = x;
    assert(first <= 0 || first > 4); //~ assert
    return 0;
}
