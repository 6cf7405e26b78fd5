// Flags, widths and precisions of sprintf.
// expect: default=safe

#include <assert.h>
#include <stdio.h>
#include <string.h>

static char text[64];

static int is(const char *expected)
{
    return !strcmp(text, expected);
}

int main(void)
{
    sprintf(text, "%#x %#X %#o %x", 255, 255, 8, 255);
    assert(is("0xff 0XFF 010 ff"));
    sprintf(text, "[% d] [%+d] [%05d] [%-5d] [%.3d] [%5.2d]", 7, 7, -42, 42, 7, 3);
    assert(is("[ 7] [+7] [-0042] [42   ] [007] [   03]"));
    assert(sprintf(text, "a%cb", 0) == 3 && text[1] == 0 && text[2] == 'b');
    sprintf(text, "[%.0d] [%*d] [%.*s]", 0, -3, 1, 2, "xyz");
    assert(is("[] [1  ] [xy]"));
    return 0;
}
