// The amount of a shift is a 64-bit number that is small.
// expect: default=safe overflow=safe

#include <assert.h>

static unsigned long long amount = 3;
static unsigned value = 64;
static signed char byte = 1;

int main(void)
{
    value = value >> amount;
    byte = byte << amount;
    assert(value == 8 && byte == 8);
    return 0;
}
