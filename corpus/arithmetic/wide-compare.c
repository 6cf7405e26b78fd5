// 128-bit comparisons look at both halves and at the sign.
// expect: default=safe overflow=safe

#include <assert.h>
#include <stdbool.h>

typedef unsigned __int128 uint128;

static bool less(__int128 a, __int128 b)
{
    return a < b;
}

static bool unsigned_less(uint128 a, uint128 b)
{
    return a < b;
}

int main(void)
{
    __int128 one = 1;
    __int128 large = one << 100;
    assert(less(one, large));
    assert(less(-large, one));
    assert(less(-large, -one));
    assert(!less(large, large));
    assert(less(large, large + 1));
    assert(unsigned_less(1, (uint128)-1));
    assert(!unsigned_less((uint128)-large, (uint128)large));
    assert(large != (one << 36));
    return 0;
}
