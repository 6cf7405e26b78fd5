// fgets reads one line: a newline can only be its last character.
// expect: default=safe
// inputs: too many

#include <assert.h>
#include <stdio.h>

int main(void)
{
    char line[8];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    int ends = 0;
    for (char *at = line; *at; at++)
        ends += *at == '\n';
    assert(ends <= 1);
    return 0;
}
