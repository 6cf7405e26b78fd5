// The guard stands on the wrong side of the test it should guard.
// expect: uninit=unsafe assert=safe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe

#include <stdbool.h>

#include "threadproof.h"

static int used;

int main(void)
{
    bool known = tp_nondet_bool();
    int value;
    if (known)
        value = 8;
    if (value > 3 && known) //~ uninit
        used = 1;
    return used;
}
