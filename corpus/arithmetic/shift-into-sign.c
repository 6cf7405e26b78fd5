// Shifts up to the sign bit, of unsigned numbers over it, and right shifts of negative numbers do not overflow.
// expect: default=safe overflow=safe

#include <assert.h>

static int one = 1, amount = 30;
static unsigned word = 1, most = 31;

int main(void)
{
    assert(one << amount == 0x40000000);
    assert(word << most == 0x80000000u);
    assert((word << most) << 1 == 0);
    assert(-8 >> 1 == -4);
    return 0;
}
