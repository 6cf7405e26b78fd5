// With a smaller range the sum of four inputs fits in a byte.
// expect: assert=safe
// inputs: too many

#include <assert.h>

#include "threadproof.h"

int main(void)
{
    unsigned values[4], exact = 0;
    unsigned char sum = 0;
    for (int i = 0; i < 4; i++) {
        values[i] = tp_nondet_uint();
        tp_assume(values[i] < 64);
        sum += values[i];
        exact += values[i];
    }
    assert(sum == exact);
    return 0;
}
