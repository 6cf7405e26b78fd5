// Every second element of an array is filled, and only those are compared.
// expect: default=safe overflow=safe

#include <assert.h>

static void fill(int *values, int count)
{
    for (int i = 0; i < count; i += 2)
        values[i] = i;
}

static int count_zeros(const int *values, int count)
{
    int zeros = 0;
    for (int i = 0; i < count; i += 2)
        if (values[i] == 0)
            zeros++;
    return zeros;
}

int main(void)
{
    int values[4];
    fill(values, 4);
    assert(count_zeros(values, 4) == 1);
    return 0;
}
