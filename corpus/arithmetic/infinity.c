// Division by a floating point zero gives infinity, which is no fault; the two zeros are equal.
// expect: default=safe

#include <assert.h>

static double zero = 0.0, one = 1.0;

int main(void)
{
    double infinity = one / zero;
    assert(infinity > 1.7e308);
    assert(infinity + one == infinity);
    assert(-infinity < -1.7e308);
    double minus_zero = -zero;
    assert(minus_zero == zero);
    assert(one / minus_zero == -infinity);
    assert(one / infinity == zero);
    double difference = infinity - infinity;
    assert(difference != difference);
    return 0;
}
