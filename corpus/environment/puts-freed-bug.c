// A text is printed after it was freed: printing reads it.
// expect: memory=unsafe assert=safe race=safe

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *line = malloc(8);
    strcpy(line, "done");
    free(line);
    puts(line); //~ memory
    return 0;
}
