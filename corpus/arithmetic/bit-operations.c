// And, or, exclusive or and complement, and the idioms built on them.
// expect: default=safe overflow=safe

#include <assert.h>
#include <stdint.h>

static unsigned set(unsigned word, unsigned bit) { return word | 1u << bit; }
static unsigned clear(unsigned word, unsigned bit) { return word & ~(1u << bit); }
static unsigned toggle(unsigned word, unsigned bit) { return word ^ 1u << bit; }
static unsigned lowest(unsigned word) { return word & -word; }

int main(void)
{
    assert(set(0x10, 31) == 0x80000010u);
    assert(clear(0xffffffffu, 31) == 0x7fffffffu);
    assert(toggle(toggle(5, 7), 7) == 5);
    assert(lowest(0x58) == 8);
    assert(((0xc0 & (0xc0 - 1)) == 0x80));
    assert(~0 == -1);
    assert((-6 & 0xff) == 0xfa);
    uint8_t byte = 0x0f;
    assert(~byte == -16);
    assert((uint8_t)~byte == 0xf0);
    unsigned a = 0x1234, b = 0xabcd;
    a ^= b;
    b ^= a;
    a ^= b;
    assert(a == 0xabcd && b == 0x1234);
    return 0;
}
