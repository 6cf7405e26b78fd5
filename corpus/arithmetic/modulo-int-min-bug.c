// The remainder INT_MIN % -1 is undefined like the quotient it belongs to.
// expect: arithmetic=unsafe assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe

#include <limits.h>

static int remainder_of(int a, int b)
{
    return a % b; //~ arithmetic
}

int main(void)
{
    return remainder_of(INT_MIN, -1);
}
