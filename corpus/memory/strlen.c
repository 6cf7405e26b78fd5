// strlen counts the characters before the first zero.
// expect: default=safe

#include <assert.h>
#include <string.h>

static char name[8] = "abc";

int main(void)
{
    assert(strlen(name) == 3);
    name[1] = '\0';
    assert(strlen(name) == 1);
    assert(strlen(name + 2) == 1);
    assert(strlen("") == 0);
    return 0;
}
