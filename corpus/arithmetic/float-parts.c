// Functions that take floating-point numbers apart, put them together and round them to integers.
// expect: default=safe

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>

int main(void)
{
    volatile double number = -40, tiny = 0x1p-1074, huge = 1e300, half = 2.5;
    volatile float small = 0.75f;
    int power;
    double whole;

    assert(frexp(number, &power) == -0.625 && power == 6);
    assert(frexp(tiny, &power) == 0.5 && power == -1073);
    assert(frexpf(small, &power) == 0.75f && power == 0);
    assert(ldexp(-0.625, 6) == number && scalbn(number, -3) == -5);
    assert(errno == 0);
    assert(isinf(ldexp(huge, 100)) && errno == ERANGE);
    assert(modf(half, &whole) == 0.5 && whole == 2);
    assert(ilogb(number) == 5 && ilogb(tiny) == -1074 && logb(half) == 1);
    assert(lrint(half) == 2 && lround(half) == 3 && lrintf(small) == 1 && llround(-half) == -3);
    assert(lround(huge) == LONG_MIN);
    assert(nextafter(half, 3) == 2.5 + 0x1p-51 && nextafter(0, 1) == tiny);
    assert(fdim(half, 1) == 1.5 && fdim(1, half) == 0);
    return 0;
}
