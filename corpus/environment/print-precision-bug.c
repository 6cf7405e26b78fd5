// Characters without a zero at their end are printed as a text.
// expect: memory=unsafe assert=safe

#include <stdio.h>

int main(void)
{
    char code[3] = {'a', 'b', 'c'};
    printf("%s\n", code); //~ memory
    return 0;
}
