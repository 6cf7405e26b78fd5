// A copy of a string is allocated without room for its terminating zero.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <stdlib.h>
#include <string.h>

static char *copy_of(const char *text)
{
    size_t length = strlen(text);
    char *copy = malloc(length);
    for (size_t i = 0; i < length; i++)
        copy[i] = text[i];
    copy[length] = '\0'; //~ memory
    return copy;
}

int main(void)
{
    char *name = copy_of("ada");
    free(name);
    return 0;
}
