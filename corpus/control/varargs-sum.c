// A variadic sum of any number of ints, beyond those that fit registers.
// expect: default=safe overflow=safe

#include <assert.h>
#include <stdarg.h>

static int sum(int count, ...)
{
    va_list arguments;
    va_start(arguments, count);
    int total = 0;
    for (int i = 0; i < count; i++)
        total += va_arg(arguments, int);
    va_end(arguments);
    return total;
}

int main(void)
{
    assert(sum(0) == 0);
    assert(sum(2, 20, 22) == 42);
    assert(sum(9, 1, 2, 3, 4, 5, 6, 7, 8, 9) == 45);
    assert(sum(1, 'a') == 97);
    return 0;
}
