// Three nondeterministic bits drawn in a loop: every mask from 0 to 7.
// expect: default=safe
// final-states: 8

#include <assert.h>

#include "threadproof.h"

static unsigned mask;

int main(void)
{
    for (unsigned i = 0; i < 3; i++)
        if (tp_nondet_bool())
            mask |= 1u << i;
    assert(mask < 8);
    return 0;
}
