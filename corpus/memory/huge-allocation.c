// An allocation that is larger than any object of the machine can be is no failure: the verdict is unknown.
// expect: memory=unknown assert=unknown

#include <assert.h>
#include <stdlib.h>

int main(void)
{
    char *block = malloc(3ul << 30);
    assert(block);
    free(block);
    return 0;
}
