// An allocation that may fail, as the program models it, is checked.
// expect: default=safe
// final-states: 2

#include <stddef.h>

#include "threadproof.h"

static int storage[2];

static int *allocate(void)
{
    return tp_nondet_bool() ? storage : NULL;
}

int main(void)
{
    int *cells = allocate();
    if (cells != NULL)
        cells[1] = 4;
    return 0;
}
