// The quotient INT_MIN / -1 computed in 64 bits, and its neighbours in 32 bits.
// expect: default=safe overflow=safe

#include <assert.h>
#include <limits.h>

static int divide(int a, int b)
{
    return a / b;
}

static long long wide_divide(int a, int b)
{
    return (long long)a / b;
}

int main(void)
{
    assert(wide_divide(INT_MIN, -1) == 2147483648LL);
    assert(divide(INT_MIN, 1) == INT_MIN);
    assert(divide(INT_MIN + 1, -1) == INT_MAX);
    assert(divide(INT_MIN, 2) == -1073741824);
    return 0;
}
