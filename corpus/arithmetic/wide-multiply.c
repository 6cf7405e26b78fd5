// A 64 by 64 bit product in 128 bits, split into halves.
// expect: default=safe overflow=safe

#include <assert.h>
#include <stdint.h>

typedef unsigned __int128 uint128;

static uint64_t high_half(uint64_t a, uint64_t b)
{
    return (uint64_t)(((uint128)a * b) >> 64);
}

int main(void)
{
    assert(high_half(1, UINT64_MAX) == 0);
    assert(high_half(UINT64_MAX, UINT64_MAX) == UINT64_MAX - 1);
    assert(high_half(0x100000000u, 0x500000000u) == 5);
    __int128 product = (__int128)INT64_MIN * INT64_MIN;
    assert((uint64_t)product == 0);
    assert((uint64_t)(product >> 64) == 0x4000000000000000u);
    __int128 negative = (__int128)INT64_MIN * 3;
    assert((int64_t)(negative >> 64) == -2);
    assert((uint64_t)negative == 0x8000000000000000u);
    return 0;
}
