// A search with a sentinel always ends inside the array on the stack.
// expect: default=safe overflow=safe

#include <assert.h>

static int position_of(const int *values, int wanted)
{
    int i = 0;
    while (values[i] != wanted)
        i++;
    return i;
}

int main(void)
{
    int values[4] = {4, 8, 15};
    int wanted = 16;
    values[3] = wanted;
    assert(position_of(values, wanted) == 3);
    assert(position_of(values, 8) == 1);
    return 0;
}
