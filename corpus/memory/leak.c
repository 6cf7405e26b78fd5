// The old block is freed before its pointer is overwritten.
// expect: default=safe leak=safe

#include <stdlib.h>

static char *line;

static void reset(size_t size)
{
    free(line);
    line = malloc(size);
    line[0] = '\0';
}

int main(void)
{
    reset(8);
    reset(16);
    free(line);
    return 0;
}
