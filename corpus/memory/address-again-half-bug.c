// A cache that knows objects by half of their address finds an old entry for a new object.
// expect: assert=unsafe

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

static unsigned short_name(const void *object)
{
    return (unsigned)(uintptr_t)object;
}

int main(void)
{
    char *first = malloc(8);
    unsigned cached = short_name(first);
    free(first);
    char *second = malloc(8);
    assert(short_name(second) != cached); //~ assert
    free(second);
    return 0;
}
