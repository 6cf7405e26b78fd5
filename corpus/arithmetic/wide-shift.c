// 128-bit shifts across the halves, logical and arithmetic.
// expect: default=safe overflow=safe

#include <assert.h>
#include <stdint.h>

typedef unsigned __int128 uint128;

static uint128 make(uint64_t high, uint64_t low)
{
    return ((uint128)high << 64) | low;
}

int main(void)
{
    uint128 value = make(0x0123456789abcdefu, 0xfedcba9876543210u);
    assert((uint64_t)(value >> 64) == 0x0123456789abcdefu);
    assert((uint64_t)(value >> 4) == 0xffedcba987654321u);
    assert((uint64_t)((value << 8) >> 64) == 0x23456789abcdeffeu);
    assert((uint64_t)(value >> 127) == 0);
    __int128 negative = (__int128)make(0x8000000000000000u, 0);
    assert(negative >> 127 == -1);
    assert((uint64_t)(negative >> 63) == 0);
    assert((int64_t)((negative >> 63) >> 64) == -1);
    return 0;
}
