// A shift by an input of up to the width.
// expect: arithmetic=unsafe

#include "threadproof.h"

int main(void)
{
    unsigned n = tp_nondet_uint();
    tp_assume(n <= 32);
    unsigned mask = 1u << n; //~ arithmetic
    return mask == 0;
}
