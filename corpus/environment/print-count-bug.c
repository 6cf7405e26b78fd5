// The conversion that stores how much was printed writes to memory.
// expect: memory=unsafe assert=safe
// inputs: too many

#include <stdio.h>

static const int count = 0;

int main(void)
{
    printf("name%n: value\n", (int *)&count); //~ memory
    return 0;
}
