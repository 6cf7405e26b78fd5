// An int that meets an unsigned int becomes unsigned; one that meets a long keeps its sign.
// expect: default=safe overflow=safe

#include <assert.h>
#include <limits.h>

int main(void)
{
    int minus = -1;
    unsigned one = 1;
    long wide = 1;
    assert(minus + one == 0);
    assert(minus - one == UINT_MAX - 1);
    assert(minus / 2 == 0);
    assert(minus / (one + 1) == 2147483647u);
    assert(minus - wide == -2);
    assert((long)(minus * one) == 4294967295);
    assert(minus < wide);
    unsigned char small = 1;
    assert(minus + small == 0 && minus - small < 0);
    return 0;
}
