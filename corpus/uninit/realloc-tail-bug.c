// The part by which realloc enlarges a block is uninitialised.
// expect: uninit=unsafe assert=safe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe

#include <stdlib.h>

int main(void)
{
    int *values = calloc(1, sizeof *values);
    values = realloc(values, 2 * sizeof *values);
    int result = 0;
    if (values[0] == 0)
        result = 1;
    if (values[1] == 0) //~ uninit
        result = 2;
    free(values);
    return result;
}
