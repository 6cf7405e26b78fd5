// A second allocation overwrites the only pointer to the first one.
// expect: default=safe leak=unsafe

#include <stdlib.h>

static char *line;

static void reset(size_t size)
{
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
