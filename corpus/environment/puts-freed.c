// A text is printed and then freed.
// expect: default=safe leak=safe

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *line = malloc(8);
    strcpy(line, "done");
    puts(line);
    free(line);
    return 0;
}
