// The comma operator evaluates left to right and gives its last operand.
// expect: default=safe overflow=safe

#include <assert.h>

int main(void)
{
    int x = 1;
    int y = (x += 2, x *= 2, x + 1);
    assert(x == 6 && y == 7);
    int low, high;
    for (low = 0, high = 9; low < high; low++, high -= 2)
        ;
    assert(low == 3 && high == 3);
    return 0;
}
