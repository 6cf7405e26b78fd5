// strcat and strncat append to the end of a string and terminate it again.
// expect: default=safe
// final-states: 1

#include <assert.h>
#include <string.h>

static char path[12] = "/usr";

int main(void)
{
    strcat(path, "/lib");
    assert(strcmp(path, "/usr/lib") == 0);
    strncat(path, "64xyz", 2);
    assert(strcmp(path, "/usr/lib64") == 0);
    return 0;
}
