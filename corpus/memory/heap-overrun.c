// A copy of a string is allocated with room for its terminating zero.
// expect: default=safe leak=safe

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static char *copy_of(const char *text)
{
    size_t length = strlen(text);
    char *copy = malloc(length + 1);
    for (size_t i = 0; i < length; i++)
        copy[i] = text[i];
    copy[length] = '\0';
    return copy;
}

int main(void)
{
    char *name = copy_of("ada");
    assert(name[2] == 'a' && name[3] == '\0');
    free(name);
    return 0;
}
