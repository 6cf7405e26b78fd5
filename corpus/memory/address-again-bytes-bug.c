// The bytes of an address are kept after the object is freed; a new object may have the same ones.
// expect: assert=unsafe

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static unsigned char key[sizeof(char *)];

int main(void)
{
    char *first = malloc(8);
    memcpy(key, &first, sizeof first);
    free(first);
    char *second = malloc(8);
    assert(memcmp(key, &second, sizeof second) != 0); //~ assert
    free(second);
    return 0;
}
