// Memory that was freed and allocated again belongs to its new owner alone.
// expect: default=safe leak=safe

#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *first = malloc(sizeof *first);
    *first = 1;
    free(first);
    int *second = malloc(sizeof *second);
    *second = 2;
    int *alias = second;
    *alias = 3;
    assert(*second == 3);
    free(second);
    return 0;
}
