// An element that was cut off by a shrinking realloc is read.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <stdlib.h>

int main(void)
{
    int *values = malloc(4 * sizeof *values);
    for (int i = 0; i < 4; i++)
        values[i] = i + 1;
    values = realloc(values, 2 * sizeof *values);
    int last = values[3]; //~ memory
    free(values);
    return last;
}
