// strcpy writes the terminating zero one byte past its target.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <string.h>

static char city[4];

int main(void)
{
    const char *source = "Brno";
    strcpy(city, source); //~ memory
    return 0;
}
