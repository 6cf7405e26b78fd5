// A node is freed on a condition that its later use does not repeat.
// expect: memory=unsafe
// inputs: too many

#include <stdlib.h>

#include "threadproof.h"

int main(void)
{
    int x = tp_nondet_int();
    int *node = malloc(sizeof *node);
    *node = x;
    if (x % 7 == 3)
        free(node);
    if (x % 14 != 3)
        *node = 1; //~ memory
    if (x % 7 != 3)
        free(node);
    return 0;
}
