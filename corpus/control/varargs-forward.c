// A va_list is handed on to another function, and copied to be read twice.
// expect: default=safe overflow=safe

#include <assert.h>
#include <stdarg.h>

static int largest(int count, va_list arguments)
{
    int result = va_arg(arguments, int);
    while (--count > 0) {
        int next = va_arg(arguments, int);
        if (next > result)
            result = next;
    }
    return result;
}

static int range(int count, ...)
{
    va_list arguments, copy;
    va_start(arguments, count);
    va_copy(copy, arguments);
    int high = largest(count, arguments);
    int low = va_arg(copy, int);
    for (int i = 1; i < count; i++) {
        int next = va_arg(copy, int);
        if (next < low)
            low = next;
    }
    va_end(copy);
    va_end(arguments);
    return high - low;
}

int main(void)
{
    assert(range(1, 5) == 0);
    assert(range(4, 3, -2, 9, 4) == 11);
    return 0;
}
