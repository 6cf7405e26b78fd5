// A file is opened, read line by line, and closed.
// expect: default=safe leak=safe
// inputs: too many

#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[4];
    FILE *file = fopen("settings", "r");
    if (!file)
        return 1;
    if (fgets(line, sizeof line, file)) {
        assert(strlen(line) < sizeof line);
        puts(line);
    }
    fclose(file);
    return 0;
}
