// A block from malloc is taken to start on a cache line.
// expect: assert=unsafe memory=safe race=safe deadlock=safe

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    char *line = malloc(128);
    assert((uintptr_t)line % 64 == 0); //~ assert
    free(line);
    return 0;
}
