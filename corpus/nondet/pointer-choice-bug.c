// An allocation that may fail, as the program models it, is used unchecked.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

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
    cells[1] = 4; //~ memory
    return 0;
}
