// How much was printed is some number that is not negative.
// expect: default=safe
// inputs: too many

#include <assert.h>
#include <stdio.h>

int main(void)
{
    int count = -5;
    int printed = printf("name%n: value\n", &count);
    assert(count >= 0);
    assert(printed >= -1);
    return 0;
}
