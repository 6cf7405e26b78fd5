// A comparison by subtraction overflows and gives the wrong sign.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe overflow=unsafe

#include <assert.h>
#include <limits.h>

static int compare(int a, int b)
{
    return a - b; //~ overflow
}

int main(void)
{
    assert(compare(3, 5) < 0);
    assert(compare(INT_MIN, 1) < 0); //~ assert
    return 0;
}
