// `div` and its kin give quotient and remainder at once, rounded towards zero.
// expect: default=safe overflow=safe
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    div_t small = div(-7, 2);
    assert(small.quot == -3 && small.rem == -1);
    ldiv_t large = ldiv(7000000000, -2);
    assert(large.quot == -3500000000 && large.rem == 0);
    lldiv_t wide = lldiv(9, 4);
    assert(wide.quot == 2 && wide.rem == 1);
    return 0;
}
