// The largest int whose square fits is 46340; the range ends there.
// expect: default=safe overflow=safe

#include <assert.h>

#include "threadproof.h"

int main(void)
{
    int side = tp_nondet_int();
    tp_assume(side >= 46337 && side <= 46340);
    int area = side * side;
    assert(area <= 2147395600);
    return 0;
}
