// memcpy reads past the end of its source, though the target is large enough.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <string.h>

static char greeting[4] = "abc";
static char buffer[8];

int main(void)
{
    memcpy(buffer, greeting, sizeof buffer); //~ memory
    return buffer[0];
}
