// A number other than 0 has fewer leading and trailing zeros than bits.
// expect: default=safe
// inputs: too many

#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    if (x) {
        assert(__builtin_clz(x) < 32 && __builtin_ctz(x) < 32);
        assert(x >> __builtin_ctz(x) & 1);
        assert(x << __builtin_clz(x) >> 31);
    }
    return 0;
}
