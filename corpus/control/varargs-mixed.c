// A variadic function whose format says the type of each argument: int, long, double, pointer.
// expect: default=safe overflow=safe

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
        case 'l': sum += (double)va_arg(arguments, long); break;
        case 'd': sum += va_arg(arguments, double); break;
        case 'p': sum += *va_arg(arguments, int *); break;
        default: assert(0 && "unknown format");
        }
    }
    va_end(arguments);
    return sum;
}

int main(void)
{
    int pointed = 100;
    float single = 0.25f;
    assert(total("") == 0.0);
    assert(total("idi", 1, 0.5, 2) == 3.5);
    assert(total("plpd", &pointed, -50L, &pointed, single) == 150.25);
    assert(total("ddddddddddi", .5, .5, .5, .5, .5, .5, .5, .5, .5, .5, 7) == 12.0);
    return 0;
}
