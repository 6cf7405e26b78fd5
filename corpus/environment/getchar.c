// A character or the end of the input.
// expect: default=safe

#include <stdio.h>

static int seen[256];

int main(void)
{
    int c = getchar();
    if (c != EOF)
        seen[c] = 1;
    return 0;
}
