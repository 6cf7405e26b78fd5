// A block that shrinks keeps the elements that still fit.
// expect: default=safe leak=safe

#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *values = malloc(4 * sizeof *values);
    for (int i = 0; i < 4; i++)
        values[i] = i + 1;
    values = realloc(values, 2 * sizeof *values);
    assert(values[0] == 1 && values[1] == 2);
    free(values);
    return 0;
}
