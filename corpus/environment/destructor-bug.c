// A destructor frees what main has freed.
// expect: memory=unsafe assert=safe

#include <stdlib.h>

static char *buffer;

__attribute__((destructor)) static void clean_up(void)
{
    free(buffer); //~ memory
}

int main(void)
{
    buffer = malloc(4);
    free(buffer);
    exit(0);
}
