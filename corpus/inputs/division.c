// Quotient and remainder make the dividend.
// expect: assert=safe arithmetic=safe

#include <assert.h>

#include "threadproof.h"

int main(void)
{
    unsigned char a = tp_nondet_uchar(), b = tp_nondet_uchar();
    if (b != 0)
        assert(a / b * b + a % b == a && a % b < b);
    return 0;
}
