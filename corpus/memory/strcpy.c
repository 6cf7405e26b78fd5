// strcpy copies a string with its terminating zero and returns its target.
// expect: default=safe
// final-states: 1

#include <assert.h>
#include <string.h>

static char target[6] = "xxxxx";

int main(void)
{
    const char *source = "abc";
    assert(strcpy(target, source) == target);
    assert(target[0] == 'a' && target[2] == 'c' && target[3] == '\0');
    assert(target[4] == 'x');
    return 0;
}
