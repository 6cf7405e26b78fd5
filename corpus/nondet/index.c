// A nondeterministic index within the bounds.
// expect: default=safe
// final-states: 4

#include <assert.h>

#include "threadproof.h"

static int table[4] = {1, 2, 4, 8};

int main(void)
{
    unsigned i = tp_nondet_uint();
    tp_assume(i < 4);
    table[i] = 0;
    int left = table[0] + table[1] + table[2] + table[3];
    assert(left >= 7 && left <= 14);
    return 0;
}
