// Counting bits: population count, leading and trailing zeros, parity, first set bit.
// expect: default=safe overflow=safe

#include <assert.h>

static unsigned word = 0x00f0f000;
static unsigned long long wide = 0x0000010000000000;
static int zero;

int main(void)
{
    assert(__builtin_popcount(word) == 8);
    assert(__builtin_popcount((unsigned)zero) == 0);
    assert(__builtin_popcountll(~0ull - wide) == 63);
    assert(__builtin_clz(word) == 8);
    assert(__builtin_ctz(word) == 12);
    assert(__builtin_clzll(wide) == 23);
    assert(__builtin_ctzll(wide) == 40);
    assert(__builtin_parity(word) == 0);
    assert(__builtin_parityll(wide) == 1);
    assert(__builtin_ffs((int)word) == 13);
    assert(__builtin_ffs(zero) == 0);
    return 0;
}
