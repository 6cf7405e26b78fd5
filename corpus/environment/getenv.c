// A variable of the environment has the same value whenever it is asked for.
// expect: default=safe
// inputs: too many

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *first = getenv("HOME");
    const char *other = getenv("PATH");
    const char *second = getenv("HOME");
    assert((first == 0) == (second == 0));
    if (first)
        assert(!strcmp(first, second));
    return other != 0;
}
