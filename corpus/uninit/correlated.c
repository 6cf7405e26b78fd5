// A value is set on the paths on which it is used.
// expect: default=safe
// final-states: 2

#include <stdbool.h>

#include "threadproof.h"

static int used;

int main(void)
{
    bool known = tp_nondet_bool();
    int value;
    if (known)
        value = 8;
    if (known && value > 3)
        used = 1;
    return 0;
}
