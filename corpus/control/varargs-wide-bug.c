// The upper half of a 128-bit number among variable arguments is not the number before it.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>
#include <stdarg.h>

static long second(int count, ...)
{
    va_list list;
    va_start(list, count);
    va_arg(list, int);
    __int128 number = va_arg(list, __int128);
    va_end(list);
    return (long)(number >> 64);
}

int main(void)
{
    assert(second(2, 1, (__int128)7 << 64) == 1); //~ assert
    return 0;
}
