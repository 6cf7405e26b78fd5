// An allocation of more bytes than pointers can tell apart fails.
// expect: memory=safe assert=safe

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

static size_t size = SIZE_MAX - 7;

int main(void)
{
    assert(malloc(size) == NULL);
    return 0;
}
