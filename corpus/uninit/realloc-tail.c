// The part by which realloc enlarges a block is set before it is read.
// expect: default=safe leak=safe

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int *values = calloc(1, sizeof *values);
    values = realloc(values, 3 * sizeof *values);
    memset(values + 1, 0, 2 * sizeof *values);
    assert(values[0] == 0 && values[1] == 0 && values[2] == 0);
    free(values);
    return 0;
}
