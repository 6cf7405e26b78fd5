// strdup gives a copy of its own on the heap, to be changed and freed.
// expect: default=safe leak=safe

#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char original[4] = "cat";
    char *copy = strdup(original);
    original[0] = 'b';
    assert(strcmp(copy, "cat") == 0);
    copy[0] = 'r';
    assert(strcmp(original, "bat") == 0);
    free(copy);
    return 0;
}
