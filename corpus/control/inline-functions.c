// Inline functions: static, and with an external definition asked for.
// expect: default=safe overflow=safe

#include <assert.h>

static inline int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

inline int twice(int value)
{
    return 2 * value;
}

extern inline int twice(int value);

int main(void)
{
    assert(clamp(15, 0, 10) == 10 && clamp(-3, 0, 10) == 0 && clamp(4, 0, 10) == 4);
    assert(twice(21) == 42);
    int (*function)(int) = twice;
    assert(function(4) == 8);
    return 0;
}
