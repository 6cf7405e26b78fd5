// Memory from alloca lives until its function returns, beyond the block that asked for it.
// expect: default=safe overflow=safe

#include <alloca.h>
#include <assert.h>

static int sum_of_squares(int count)
{
    int *squares = 0;
    if (count > 0)
        squares = alloca((unsigned)count * sizeof *squares);
    int sum = 0;
    for (int i = 0; i < count; i++)
        squares[i] = i * i;
    for (int i = 0; i < count; i++)
        sum += squares[i];
    return sum;
}

int main(void)
{
    assert(sum_of_squares(0) == 0);
    assert(sum_of_squares(4) == 14);
    return 0;
}
