// A variable of the environment has the value that the program gave it, until it is set again or removed.
// expect: default=safe
// inputs: too many

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static char text[] = "LEVEL=low";

int main(void)
{
    setenv("MODE", "fast", 1);
    const char *before = getenv("MODE");
    assert(!strcmp(before, "fast"));
    setenv("MODE", "slow", 0);
    assert(!strcmp(getenv("MODE"), "fast"));
    setenv("MODE", "slow", 1);
    assert(!strcmp(getenv("MODE"), "slow"));
    unsetenv("MODE");
    assert(!getenv("MODE"));

    putenv(text);
    text[6] = 'n';
    assert(!strcmp(getenv("LEVEL"), "now"));

    assert(setenv("A=B", "", 1) == -1);
    return 0;
}
