// An input selects a function from a table.
// expect: assert=safe memory=safe

#include <assert.h>

#include "threadproof.h"

static int twice(int x) { return x + x; }
static int thrice(int x) { return x + x + x; }
static int (*const table[])(int) = { twice, thrice };

int main(void)
{
    unsigned which = tp_nondet_uint();
    int x = tp_nondet_int();
    tp_assume(which < 2 && x > 0 && x < 1000);
    assert(table[which](x) >= 2 * x);
    return 0;
}
