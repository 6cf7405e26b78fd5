// A variable is initialised only for some inputs.
// expect: uninit=unsafe

#include "threadproof.h"

int main(void)
{
    int x = tp_nondet_int(), y;
    if (x > 100)
        y = x;
    if (x > 99 && y > 0) //~ uninit
        return 1;
    return 0;
}
