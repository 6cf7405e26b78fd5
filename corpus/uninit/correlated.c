// A value is set on the paths on which it is used.
// expect: default=safe
// final-states: 2

#include <stdbool.h>

#include "threadproof.h"

static int used;

static bool lookup(int *value)
{
    if (tp_nondet_bool())
        return false;
    *value = 8;
    return true;
}

int main(void)
{
    int value;
    bool known = lookup(&value);
    if (known && value > 3)
        used = 1;
    return 0;
}
