// Double precision arithmetic: the well-known sums that are not what they look like.
// expect: default=safe

#include <assert.h>

static double tenth = 0.1, fifth = 0.2, third = 1.0 / 3.0;

int main(void)
{
    assert(tenth + fifth != 0.3);
    assert(tenth + fifth > 0.3);
    assert(third * 3.0 == 1.0);
    assert(tenth * 3.0 != 0.3);
    double sum = 0;
    for (int i = 0; i < 10; i++)
        sum += tenth;
    assert(sum < 1.0);
    double large = 9007199254740992.0; // 2^53
    assert(large + 1.0 == large);
    assert(large - 1.0 == 9007199254740991.0);
    return 0;
}
