// A pointer one past the end may be formed and compared, as long as nobody reads through it.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>

static int numbers[3] = {1, 2, 3};

int main(void)
{
    int *begin = numbers;
    int *end = numbers + 3;
    int sum = 0;
    for (int *p = begin; p != end; p++)
        sum += *p;
    for (int *p = end; p != begin;)
        sum += *--p;
    assert(sum == 12);
    assert(end - begin == 3 && begin < end);
    return 0;
}
