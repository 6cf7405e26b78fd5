// Characters without a zero at their end are printed up to a precision.
// expect: default=safe

#include <stdio.h>

int main(void)
{
    char code[3] = {'a', 'b', 'c'};
    printf("%.3s %.*s\n", code, 2, code);
    return 0;
}
