// strlen runs past the end of an array that holds no terminating zero.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <string.h>

static char code[3] = {'a', 'b', 'c'};

int main(void)
{
    return (int)strlen(code); //~ memory
}
