// In glibc, a prefix without digits is a zero.
// expect: assert=unsafe

#include <assert.h>
#include <stdio.h>

int main(void)
{
    int number = 7;
    assert(sscanf("0xg", "%x", &number) != 1); //~ assert
    return 0;
}
