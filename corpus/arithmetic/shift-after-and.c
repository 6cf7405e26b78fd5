// An unsigned shift follows an `&&` whose value is kept: both branch, one to be checked, the other to be taken.
// expect: default=safe overflow=safe

#include <assert.h>

static int left = 1;
static int right = 1;
static unsigned value = 8;
static unsigned amount = 1;

int main(void)
{
    int both = left && right;
    value >>= amount;
    assert(both == 1 && value == 4);
    left = 0;
    both = left && right;
    value = value << amount;
    assert(both == 0 && value == 8);
    return 0;
}
