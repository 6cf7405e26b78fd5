// A function that prints by a format of its caller.
// expect: default=safe

#include <stdarg.h>
#include <stdio.h>

static void report(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
}

int main(void)
{
    char name[4] = "abc";
    report("%d %s %5.1f %-4ld %c\n", 1, name, 2.0, 3L, 'x');
    report("%.2s %*d %%\n", name, 4, 5);
    return 0;
}
