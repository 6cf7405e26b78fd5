// A two-way choice is followed by a value that nobody looks at, which is no choice.
// expect: default=safe
// final-states: 2

#include "threadproof.h"

int chosen;

int main(void)
{
    if (tp_nondet_int())
        chosen = 1;
    int unused = tp_nondet_int();
    (void)unused;
    return 0;
}
