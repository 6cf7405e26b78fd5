// The middle of two large indices computed without leaving their range.
// expect: default=safe overflow=safe

#include <assert.h>

static int middle(int low, int high)
{
    return low + (high - low) / 2;
}

int main(void)
{
    assert(middle(1500000000, 1600000000) == 1550000000);
    assert(middle(2147483646, 2147483647) == 2147483646);
    return 0;
}
