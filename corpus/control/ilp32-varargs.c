// Variadic arguments in the 32-bit data model all travel on the stack.
// expect: default=safe overflow=safe
// data-model: ilp32

#include <assert.h>
#include <stdarg.h>

static double total(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    double sum = 0;
    for (; *format != '\0'; format++) {
        switch (*format) {
        case 'i': sum += va_arg(arguments, int); break;
        case 'w': sum += (double)va_arg(arguments, long long); break;
        case 'd': sum += va_arg(arguments, double); break;
        case 'p': sum += *va_arg(arguments, int *); break;
        }
    }
    va_end(arguments);
    return sum;
}

int main(void)
{
    int pointed = 7;
    assert(total("iwi", 1, 4294967296LL, 2) == 4294967299.0);
    assert(total("dpdi", 0.5, &pointed, 1.5, -3) == 6.0);
    return 0;
}
