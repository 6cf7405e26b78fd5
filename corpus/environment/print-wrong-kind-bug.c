// A number is printed as if it were the address of a text.
// expect: memory=unsafe assert=safe

#include <stdio.h>

int main(void)
{
    int code = 7;
    fprintf(stderr, "error %s\n", code); //~ memory
    return 0;
}
