// A line that is longer than the buffer has no newline in it.
// expect: assert=unsafe
// inputs: too many

#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[8];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    assert(line[strlen(line) - 1] == '\n'); //~ assert
    return 0;
}
