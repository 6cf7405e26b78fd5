// Conversions to wider types extend by the sign of the source type, not of the target type.
// expect: default=safe overflow=safe

#include <assert.h>
#include <stdint.h>

int main(void)
{
    int8_t minus = -1;
    assert((uint32_t)minus == 0xffffffffu);
    assert((uint64_t)minus == UINT64_MAX);
    assert((uint16_t)minus == 65535);
    uint8_t byte = 255;
    assert((int32_t)byte == 255);
    assert((int64_t)byte == 255);
    uint32_t word = UINT32_MAX;
    assert((int64_t)word == 4294967295);
    assert((int64_t)(int32_t)word == -1);
    int16_t negative = -32768;
    assert((int64_t)negative == -32768);
    assert((uint32_t)negative == 0xffff8000u);
    assert((uint32_t)(uint16_t)negative == 0x8000u);
    return 0;
}
