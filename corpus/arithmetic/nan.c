// A NaN is unequal to everything, itself included, and every ordered comparison with it is false.
// expect: default=safe

#include <assert.h>
#include <stdbool.h>

static double zero = 0.0;

static bool is_nan(double x)
{
    return x != x;
}

int main(void)
{
    double nan = zero / zero;
    assert(is_nan(nan));
    assert(!is_nan(zero));
    assert(!(nan == nan));
    assert(!(nan < 1.0) && !(nan > 1.0) && !(nan <= nan) && !(nan >= 1.0));
    assert(is_nan(nan + 1.0) && is_nan(nan * zero));
    double larger = nan > 1.0 ? nan : 1.0;
    assert(larger == 1.0);
    return 0;
}
