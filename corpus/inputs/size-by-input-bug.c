// An object of an input's size is written one element too far.
// expect: memory=unsafe

#include <stdlib.h>

#include "threadproof.h"

int main(void)
{
    unsigned n = tp_nondet_uint();
    tp_assume(n > 0 && n <= 4);
    int *cells = malloc(n * sizeof *cells);
    for (unsigned i = 0; i <= n; i++)
        cells[i] = 0; //~ memory
    free(cells);
    return 0;
}
