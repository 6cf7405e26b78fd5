// Conversions between floating point and integers of every sign and width.
// expect: default=safe overflow=safe

#include <assert.h>
#include <stdint.h>

static double positive = 2.9, negative = -2.9, large = 3000000000.0;
static float single = 0.1f;

int main(void)
{
    assert((int)positive == 2);
    assert((int)negative == -2);
    assert((unsigned)large == 3000000000u);
    assert((int64_t)-large == -3000000000);
    assert((int8_t)negative == -2);

    int odd = 16777217;
    assert((float)odd == 16777216.0f);
    assert((double)odd == 16777217.0);
    int64_t most = INT64_MAX;
    assert((double)most == 9223372036854775808.0);
    uint64_t all = UINT64_MAX;
    assert((double)all == 18446744073709551616.0);
    uint8_t byte = 255;
    assert((float)byte == 255.0f);

    double widened = single;
    assert(widened != 0.1);
    assert((float)0.1 == single);
    return 0;
}
