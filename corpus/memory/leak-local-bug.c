// A block that only a local variable of main pointed to is lost when main returns.
// expect: default=safe leak=unsafe

#include <stdlib.h>

int main(void)
{
    int *scratch = malloc(4 * sizeof *scratch);
    for (int i = 0; i < 4; i++)
        scratch[i] = i;
    return scratch[0];
}
