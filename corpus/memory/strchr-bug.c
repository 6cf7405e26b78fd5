// The result of strchr is used without a check that the character was found.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <string.h>

static char setting[8] = "verbose";

int main(void)
{
    char *value = strchr(setting, '=');
    *value = '\0'; //~ memory
    return 0;
}
