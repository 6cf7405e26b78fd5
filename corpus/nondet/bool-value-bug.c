// Two calls of a nondeterministic function need not give the same value.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>
#include <stdbool.h>

#include "threadproof.h"

int main(void)
{
    bool first = tp_nondet_bool();
    bool second = tp_nondet_bool();
    assert(first == second); //~ assert
    return 0;
}
