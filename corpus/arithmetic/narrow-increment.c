// Narrow signed types are computed in int and converted back, which is no overflow.
// expect: default=safe overflow=safe

#include <assert.h>

int main(void)
{
    signed char small = 127;
    small++;
    assert(small == -128);
    small--;
    assert(small == 127);
    short medium = -32768;
    medium = (short)(medium - 1);
    assert(medium == 32767);
    signed char a = 100, b = 100;
    int sum = a + b;
    assert(sum == 200);
    return 0;
}
