// A small-buffer optimisation frees the buffer even when it is the one on the stack.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <stdlib.h>

static int sum_to(int count)
{
    int small[4];
    int *values = count <= 4 ? small : malloc((size_t)count * sizeof *values);
    int sum = 0;
    for (int i = 0; i < count; i++)
        values[i] = i;
    for (int i = 0; i < count; i++)
        sum += values[i];
    free(values); //~ memory
    return sum;
}

int main(void)
{
    return sum_to(3);
}
