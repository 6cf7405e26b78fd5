// An assumption does not undo what came before it: the error is found first.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>

#include "threadproof.h"

int main(void)
{
    assert(!tp_nondet_bool()); //~ assert
    tp_assume(0);
    return 0;
}
