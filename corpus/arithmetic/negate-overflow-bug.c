// The absolute value of INT_MIN does not exist.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe overflow=unsafe

#include <assert.h>
#include <limits.h>

static int absolute(int value)
{
    return value < 0 ? -value : value; //~ overflow
}

int main(void)
{
    assert(absolute(-5) == 5);
    assert(absolute(INT_MIN) >= 0); //~ assert
    return 0;
}
