// A small-buffer optimisation frees the buffer only when it came from the heap.
// expect: default=safe leak=safe overflow=safe

#include <assert.h>
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
    if (values != small)
        free(values);
    return sum;
}

int main(void)
{
    assert(sum_to(3) == 3);
    assert(sum_to(6) == 15);
    return 0;
}
