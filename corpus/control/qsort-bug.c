// A comparator in the wrong direction sorts downwards.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>
#include <stdlib.h>

static int numbers[3] = {2, 1, 3};

static int compare(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;
    return b - a;
}

int main(void)
{
    qsort(numbers, 3, sizeof numbers[0], compare);
    assert(numbers[0] <= numbers[1]); //~ assert
    return 0;
}
