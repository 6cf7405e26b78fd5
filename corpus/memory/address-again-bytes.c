// The bytes of an address are kept while the object is alive: no other object has the same ones.
// expect: assert=safe

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static unsigned char key[sizeof(char *)];

int main(void)
{
    char *first = malloc(8);
    memcpy(key, &first, sizeof first);
    char *second = malloc(8);
    assert(memcmp(key, &second, sizeof second) != 0);
    free(second);
    free(first);
    return 0;
}
