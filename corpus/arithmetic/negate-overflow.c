// The magnitude of every int fits an unsigned int.
// expect: default=safe overflow=safe

#include <assert.h>
#include <limits.h>

static unsigned magnitude(int value)
{
    return value < 0 ? 0u - (unsigned)value : (unsigned)value;
}

int main(void)
{
    assert(magnitude(-5) == 5);
    assert(magnitude(7) == 7);
    assert(magnitude(INT_MIN) == 2147483648u);
    return 0;
}
