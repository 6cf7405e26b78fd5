// The quotient INT_MIN / -1 does not fit an int.
// expect: arithmetic=unsafe assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe

#include <limits.h>

static int divide(int a, int b)
{
    return a / b; //~ arithmetic
}

int main(void)
{
    return divide(INT_MIN, -1);
}
