// A rotation whose counts are masked stays defined for every count.
// expect: default=safe overflow=safe

#include <assert.h>
#include <stdint.h>

static uint64_t rotate_left(uint64_t word, unsigned count)
{
    return (word << (count & 63)) | (word >> (-count & 63));
}

static uint8_t rotate_byte(uint8_t byte, unsigned count)
{
    return (uint8_t)((byte << (count & 7)) | (byte >> (-count & 7)));
}

int main(void)
{
    assert(rotate_left(0x8000000000000001u, 0) == 0x8000000000000001u);
    assert(rotate_left(0x8000000000000001u, 1) == 3);
    assert(rotate_left(0x8000000000000001u, 64) == 0x8000000000000001u);
    assert(rotate_left(0x123456789abcdef0u, 16) == 0x56789abcdef01234u);
    assert(rotate_byte(0x81, 4) == 0x18);
    assert(rotate_byte(0x81, 1) == 0x03);
    return 0;
}
