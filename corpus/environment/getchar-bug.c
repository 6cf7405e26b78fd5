// A character can be as large as 255: it does not fit the table.
// expect: memory=unsafe assert=safe

#include <stdio.h>

static int seen[255];

int main(void)
{
    int c = getchar();
    if (c != EOF)
        seen[c] = 1; //~ memory
    return 0;
}
