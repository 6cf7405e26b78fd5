// Only the owner of the buffer releases it, once, on every path.
// expect: default=safe leak=safe

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

static bool parse(char *buffer, int length)
{
    if (length > 8)
        return false;
    buffer[0] = '{';
    return true;
}

int main(void)
{
    char *buffer = malloc(8);
    bool ok = parse(buffer, 12);
    assert(!ok);
    free(buffer);
    return 0;
}
