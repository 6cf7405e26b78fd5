// Shifts within range: logical for unsigned values, arithmetic for negative ones.
// expect: default=safe overflow=safe

#include <assert.h>
#include <stdint.h>

static int shift_right(int value, int count)
{
    return value >> count;
}

static unsigned logical_right(unsigned value, int count)
{
    return value >> count;
}

int main(void)
{
    assert(shift_right(-8, 1) == -4);
    assert(shift_right(-1, 31) == -1);
    assert(shift_right(0x40000000, 30) == 1);
    assert(logical_right(0x80000000u, 31) == 1);
    assert(logical_right(0xfffffff8u, 1) == 0x7ffffffcu);
    uint64_t one = 1;
    assert(one << 63 == 0x8000000000000000u);
    int64_t lowest = INT64_MIN;
    assert(lowest >> 63 == -1);
    return 0;
}
