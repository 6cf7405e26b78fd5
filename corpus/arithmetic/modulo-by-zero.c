// The remainder has the sign of the dividend; the unsigned one is never negative.
// expect: default=safe overflow=safe

#include <assert.h>

static int remainder_of(int a, int b)
{
    return a % b;
}

static unsigned unsigned_remainder_of(unsigned a, unsigned b)
{
    return a % b;
}

int main(void)
{
    assert(remainder_of(7, 3) == 1);
    assert(remainder_of(-7, 3) == -1);
    assert(remainder_of(7, -3) == 1);
    assert(remainder_of(-7, -3) == -1);
    assert(unsigned_remainder_of(4294967289u, 3) == 0); // 2^32 - 7
    assert(unsigned_remainder_of(4294967290u, 16) == 10);
    return 0;
}
