// Reading a number from bytes: little endian by memory, big endian by shifts.
// expect: default=safe overflow=safe

#include <assert.h>
#include <stdint.h>
#include <string.h>

static const uint8_t wire[4] = {0x80, 0x01, 0x02, 0x03};

static uint32_t read_big(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

int main(void)
{
    uint32_t native;
    memcpy(&native, wire, sizeof native);
    assert(native == 0x03020180);
    assert(read_big(wire) == 0x80010203u);
    assert(__builtin_bswap32(native) == read_big(wire));
    return 0;
}
