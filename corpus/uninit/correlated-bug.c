// The guard stands on the wrong side of the test it should guard.
// expect: uninit=unsafe assert=safe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe

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
    if (value > 3 && known) //~ uninit
        used = 1;
    return 0;
}
