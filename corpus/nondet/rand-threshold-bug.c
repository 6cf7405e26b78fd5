// A random number is not unequal to 42 for sure.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int token = rand();
    assert(token != 42); //~ assert
    return 0;
}
