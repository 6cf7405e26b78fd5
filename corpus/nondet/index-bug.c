// A nondeterministic index may be one past the end.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include "threadproof.h"

static int table[4] = {1, 2, 4, 8};

int main(void)
{
    unsigned i = tp_nondet_uint();
    tp_assume(i <= 4);
    return table[i]; //~ memory
}
