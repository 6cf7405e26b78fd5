// Nothing promises that an array of characters starts at a multiple of 128.
// expect: assert=unsafe memory=safe

#include <assert.h>
#include <stdint.h>

static char global[3];

int main(void)
{
    assert((uintptr_t)global % 128 == 0); //~ assert
    return global[0];
}
