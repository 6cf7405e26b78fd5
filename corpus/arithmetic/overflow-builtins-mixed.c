// The checked arithmetic builtins compute as if exactly, whatever the types of operands and result.
// expect: default=safe overflow=safe

#include <assert.h>
#include <limits.h>
#include <stdint.h>

static int minus_five = -5;
static unsigned three = 3;

int main(void)
{
    int result;
    assert(!__builtin_add_overflow(minus_five, three, &result) && result == -2);

    unsigned size;
    assert(__builtin_add_overflow(minus_five, three, &size) && size == UINT_MAX - 1);

    int8_t byte;
    int hundred = 100;
    assert(!__builtin_add_overflow(hundred, 27, &byte) && byte == 127);
    assert(__builtin_add_overflow(hundred, 28, &byte) && byte == -128);

    uint64_t wide;
    assert(!__builtin_mul_overflow(UINT32_MAX, UINT32_MAX, &wide));
    assert(wide == 18446744065119617025u);
    return 0;
}
