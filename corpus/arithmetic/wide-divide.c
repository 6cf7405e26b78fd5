// 128-bit division and remainder, signed and unsigned.
// expect: default=safe overflow=safe

#include <assert.h>
#include <stdint.h>

typedef unsigned __int128 uint128;

static uint128 two_to(unsigned exponent)
{
    return (uint128)1 << exponent;
}

int main(void)
{
    uint128 large = two_to(100) + 7;
    assert(large / two_to(90) == 1024);
    assert(large % two_to(90) == 7);
    assert((uint64_t)((large / 10) >> 64) == 0x199999999u);
    assert((uint64_t)(large / 10) == 0x999999999999999au);
    assert(large % 10 == 3);

    __int128 negative = -(__int128)two_to(70);
    assert(negative / 1024 == -((__int128)1 << 60));
    assert(negative % 3 == -1);
    assert(negative / 3 * 3 - 1 == negative);
    return 0;
}
