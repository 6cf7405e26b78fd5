// The value of an `&&` that is kept decides how far an unsigned number is shifted.
// expect: assert=unsafe arithmetic=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe overflow=safe

#include <assert.h>

static int left = 1;
static int right = 1;
static unsigned value = 8;

int main(void)
{
    int both = left && right;
    value >>= both;
    assert(value == 8); //~ assert
    return 0;
}
