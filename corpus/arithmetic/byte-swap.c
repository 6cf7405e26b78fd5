// Byte swaps of 16, 32 and 64 bits.
// expect: default=safe overflow=safe

#include <assert.h>
#include <stdint.h>

static uint16_t half = 0x12ab;
static uint32_t word = 0x123456ab;
static uint64_t wide = 0x0123456789abcdef;

int main(void)
{
    assert(__builtin_bswap16(half) == 0xab12);
    assert(__builtin_bswap32(word) == 0xab563412u);
    assert(__builtin_bswap64(wide) == 0xefcdab8967452301u);
    assert(__builtin_bswap64(__builtin_bswap64(wide)) == wide);
    return 0;
}
