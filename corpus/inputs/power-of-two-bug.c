// The test for powers of two takes zero for one.
// expect: assert=unsafe
// inputs: too many

#include <assert.h>

#include "threadproof.h"

int main(void)
{
    unsigned x = tp_nondet_uint();
    if ((x & (x - 1)) == 0) {
        int ones = 0;
        for (int i = 0; i < 32; i++)
            ones += x >> i & 1;
        assert(ones == 1); //~ assert
    }
    return 0;
}
