// A file that could not be opened is read.
// expect: memory=unsafe

#include <stdio.h>

int main(void)
{
    char line[8];
    FILE *file = fopen("settings", "r");
    if (fgets(line, sizeof line, file)) //~ memory
        puts(line);
    return 0;
}
