// A variable length array takes its size from a parameter, and sizeof gives that size.
// expect: default=safe overflow=safe

#include <assert.h>

static int reversed_digit(int count, int position)
{
    int digits[count];
    for (int i = 0; i < count; i++)
        digits[count - 1 - i] = i;
    assert(sizeof digits == (unsigned)count * sizeof(int));
    return digits[position];
}

int main(void)
{
    assert(reversed_digit(3, 0) == 2);
    assert(reversed_digit(5, 4) == 0);
    return 0;
}
