// A comparison without subtraction orders all integers.
// expect: default=safe overflow=safe

#include <assert.h>
#include <limits.h>

static int compare(int a, int b)
{
    return (a > b) - (a < b);
}

int main(void)
{
    assert(compare(3, 5) < 0);
    assert(compare(INT_MIN, 1) < 0);
    assert(compare(INT_MAX, INT_MIN) > 0);
    assert(compare(INT_MIN, INT_MIN) == 0);
    return 0;
}
