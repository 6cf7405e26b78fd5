// A function that prints by a format of its caller is given a text that was freed.
// expect: memory=unsafe assert=safe race=safe

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void report(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments); //~ memory
    va_end(arguments);
}

int main(void)
{
    char *name = calloc(1, 4);
    report("%d %s %c\n", 1, name, 'x');
    free(name);
    report("%d %s\n", 2, name);
    return 0;
}
