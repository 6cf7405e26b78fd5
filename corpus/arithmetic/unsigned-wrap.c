// Unsigned arithmetic wraps around and is no overflow.
// expect: default=safe overflow=safe

#include <assert.h>
#include <limits.h>
#include <stdint.h>

int main(void)
{
    unsigned largest = UINT_MAX;
    unsigned zero = 0;
    assert(largest + 1 == 0);
    assert(zero - 1 == UINT_MAX);
    assert(-largest == 1);
    assert(largest * largest == 1);
    assert(2147483648u * 2 == zero);

    uint64_t wide = UINT64_MAX;
    assert(wide + 2 == 1);
    assert(wide * 3 == UINT64_MAX - 2);

    uint8_t byte = 255;
    byte++;
    assert(byte == 0);
    byte--;
    assert(byte == 255);
    return 0;
}
