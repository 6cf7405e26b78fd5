// A file is closed twice.
// expect: memory=unsafe assert=safe

#include <stdio.h>

int main(void)
{
    FILE *file = fopen("log", "w");
    if (!file)
        return 1;
    fputs("one line\n", file);
    fclose(file);
    fclose(file); //~ memory
    return 0;
}
