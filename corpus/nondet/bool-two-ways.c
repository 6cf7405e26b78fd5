// A nondeterministic bool takes both branches.
// expect: default=safe
// final-states: 2

#include "threadproof.h"

static int path;

int main(void)
{
    if (tp_nondet_bool())
        path = 1;
    else
        path = 2;
    return 0;
}
