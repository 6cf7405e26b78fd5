// Two comparisons that no value can pass together guard an error that is never reached.
// expect: default=safe

#include <assert.h>

#include "threadproof.h"

int main(void)
{
    int x = tp_nondet_int();
    if (x > 10)
        if (x < 11)
            assert(0);
    unsigned y = tp_nondet_uint();
    if (y < 1)
        if (y != 0)
            assert(0);
    return 0;
}
