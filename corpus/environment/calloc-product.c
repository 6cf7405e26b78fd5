// An array whose size does not fit a number is not allocated.
// expect: default=safe

#include <assert.h>
#include <stdlib.h>

int main(void)
{
    size_t half = (size_t)1 << (sizeof(size_t) * 4);
    assert(!calloc(half, half));
    return 0;
}
