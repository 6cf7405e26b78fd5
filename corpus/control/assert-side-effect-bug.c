// Work done inside an assertion is lost when assertions are switched off.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe
// flags: -DNDEBUG

#include <assert.h>

#include "threadproof.h"

static int depth;

int main(void)
{
    assert(++depth == 1);
    tp_assert(depth == 1); //~ assert
    return 0;
}
