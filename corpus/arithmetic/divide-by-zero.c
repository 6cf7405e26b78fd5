// The average of an empty list is defined as zero; signed division truncates toward zero.
// expect: default=safe overflow=safe

#include <assert.h>

static int average(const int *values, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return count == 0 ? 0 : sum / count;
}

int main(void)
{
    int values[3] = {4, -8, -3};
    assert(average(values, 0) == 0);
    assert(average(values, 2) == -2);
    assert(average(values, 3) == -2);
    return 0;
}
