// An error path releases a buffer that the common exit releases again.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <stdbool.h>
#include <stdlib.h>

static bool parse(char *buffer, int length)
{
    if (length > 8) {
        free(buffer);
        return false;
    }
    buffer[0] = '{';
    return true;
}

int main(void)
{
    char *buffer = malloc(8);
    bool ok = parse(buffer, 12);
    free(buffer); //~ memory
    return ok ? 0 : 1;
}
