// A format that reads one argument more than there are.
// expect: memory=unsafe assert=safe

#include <stdio.h>

int main(void)
{
    int used = 3;
    printf("%d of %d\n", used); //~ memory
    return 0;
}
