// A pointer into a block is used after realloc has taken the block away.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <stdlib.h>

int main(void)
{
    int *values = malloc(2 * sizeof *values);
    values[0] = 1;
    values[1] = 2;
    int *last = &values[1];
    values = realloc(values, 64 * sizeof *values);
    int sum = values[0] + *last; //~ memory
    free(values);
    return sum;
}
