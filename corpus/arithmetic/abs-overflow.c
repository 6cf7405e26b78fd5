// Absolute values that fit.
// expect: default=safe overflow=safe

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

int main(void)
{
    assert(abs(INT_MIN + 1) == INT_MAX);
    assert(labs(-3L) == 3 && llabs(LLONG_MIN + 1) == LLONG_MAX);
    return 0;
}
