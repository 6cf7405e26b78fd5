// strcat appends more than the rest of the array can hold.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <string.h>

static char path[8] = "/usr";

int main(void)
{
    const char *folder = "/lib";
    strcat(path, folder); //~ memory
    return 0;
}
