// Conversions to narrower types keep the low bits.
// expect: default=safe overflow=safe

#include <assert.h>
#include <stdint.h>

int main(void)
{
    int number = 200;
    assert((int8_t)number == -56);
    number = -1;
    assert((uint8_t)number == 255);
    assert((uint16_t)(number - 1) == 65534);
    number = 0x12345;
    assert((int16_t)number == 0x2345);
    assert((int8_t)number == 0x45);
    int64_t wide = 0x1fffffff0;
    assert((int32_t)wide == -16);
    assert((uint32_t)wide == 0xfffffff0u);
    uint64_t huge = 0x8000000080000001u;
    assert((int32_t)huge == -2147483647);
    assert((uint8_t)huge == 1);
    return 0;
}
