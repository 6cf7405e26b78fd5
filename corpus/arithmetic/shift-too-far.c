// A mask of up to 32 bits is built in 64 bits.
// expect: default=safe overflow=safe

#include <assert.h>

static unsigned low_bits(unsigned count)
{
    return (unsigned)((1ull << count) - 1);
}

int main(void)
{
    assert(low_bits(0) == 0);
    assert(low_bits(8) == 255);
    assert(low_bits(31) == 0x7fffffffu);
    assert(low_bits(32) == 0xffffffffu);
    return 0;
}
