// exit ends the program at once, from any depth of calls.
// expect: default=safe

#include <assert.h>
#include <stdlib.h>

static void finish(int code)
{
    if (code != 0)
        exit(code);
}

int main(void)
{
    finish(0);
    finish(3);
    assert(0 && "not reached");
    return 0;
}
