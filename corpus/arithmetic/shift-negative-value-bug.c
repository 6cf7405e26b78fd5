// In C the left shift of a negative number is undefined, even if twice the number fits.
// expect: assert=safe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe overflow=unsafe

#include <assert.h>

static int temperature = -5;

int main(void)
{
    int doubled = temperature << 1; //~ overflow
    assert(doubled == -10);
    return 0;
}
