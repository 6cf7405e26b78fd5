// A union shows the bits of a floating point number.
// expect: default=safe overflow=safe

#include <assert.h>
#include <stdint.h>

union single {
    float value;
    uint32_t bits;
};

union binary64 {
    double value;
    uint64_t bits;
};

int main(void)
{
    union single single = {.value = 1.0f};
    assert(single.bits == 0x3f800000u);
    single.bits |= 0x80000000u;
    assert(single.value == -1.0f);
    single.value = -2.5f;
    assert(single.bits == 0xc0200000u);

    union binary64 wide = {.value = 0.1};
    assert(wide.bits == 0x3fb999999999999au);
    wide.bits = 0x4000000000000000u;
    assert(wide.value == 2.0);
    return 0;
}
