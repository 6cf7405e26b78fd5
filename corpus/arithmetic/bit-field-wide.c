// Bit-fields of 64-bit type that are wider than 32 bits.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>
#include <stdint.h>

struct entry {
    uint64_t address : 40;
    uint64_t length : 23;
    uint64_t valid : 1;
    int64_t offset : 35;
};

static struct entry entry;

int main(void)
{
    entry.address = 0xab12345678;
    entry.valid = 1;
    entry.offset = -17179869184; // -2^34, the smallest value of 35 bits
    entry.length = 0x7fffff;
    assert(entry.address == 0xab12345678);
    assert(entry.length == 0x7fffff && entry.valid == 1);
    assert(entry.offset == -17179869184);
    entry.length = 0;
    assert(entry.address == 0xab12345678 && entry.valid == 1);
    assert(sizeof entry == 16);
    return 0;
}
