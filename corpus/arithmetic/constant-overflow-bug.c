// A sum of constants does not fit: the compiler folds it to a negative number.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe overflow=unsafe

#include <assert.h>

#define HOURS 1000000

int main(void)
{
    int seconds = HOURS * 3600; //~ overflow
    assert(seconds > 0); //~ assert
    return 0;
}
