// A position in a block is kept as an index, which survives realloc.
// expect: default=safe leak=safe

#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *values = malloc(2 * sizeof *values);
    values[0] = 1;
    values[1] = 2;
    size_t last = 1;
    values = realloc(values, 64 * sizeof *values);
    assert(values[0] + values[last] == 3);
    free(values);
    return 0;
}
