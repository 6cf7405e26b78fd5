// The last value of the assumed range breaks the assertion.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>

#include "threadproof.h"

int main(void)
{
    int x = tp_nondet_int();
    tp_assume(x >= -2 && x <= 4);
    assert(x * x < 16); //~ assert
    return 0;
}
