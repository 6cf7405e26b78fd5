// A mask of 31 bits, and one of all bits that does not shift by the width.
// expect: default=safe overflow=safe

#include <assert.h>

#define WIDTH 32

static unsigned mask, all;

int main(void)
{
    mask = (1u << (WIDTH - 1)) - 1;
    all = mask << 1 | 1;
    assert(mask == 0x7fffffff && all == 0xffffffff);
    return 0;
}
