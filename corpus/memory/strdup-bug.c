// A copy from strdup has room for the string and its terminating zero, no more.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *copy = strdup("cat");
    copy[4] = '!'; //~ memory
    free(copy);
    return 0;
}
