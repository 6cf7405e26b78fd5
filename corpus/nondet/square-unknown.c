// No square leaves the remainder 2 modulo 4: true for every value, but beyond enumeration.
// expect: assert=safe
// inputs: too many

#include <assert.h>

#include "threadproof.h"

int main(void)
{
    unsigned x = tp_nondet_uint();
    assert((x * x & 3) != 2);
    return 0;
}
