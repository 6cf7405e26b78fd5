// The largest and smallest numbers that convert, and those between whole numbers.
// expect: default=safe overflow=safe

#include <assert.h>
#include <limits.h>

static double high = 2147483647.9, low = -2147483648.9, half = -0.9;
static float all = 4294967040.0f;

int main(void)
{
    assert((int)high == INT_MAX);
    assert((int)low == INT_MIN);
    assert((unsigned)half == 0);
    assert((unsigned)all == 4294967040u);
    return 0;
}
