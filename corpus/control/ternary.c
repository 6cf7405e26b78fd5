// Conditional expressions: nested, with side effects, as pointer and as structure.
// expect: default=safe overflow=safe

#include <assert.h>

struct pair {
    int first;
    int second;
};

static int sign(int x)
{
    return x < 0 ? -1 : x > 0 ? 1 : 0;
}

int main(void)
{
    assert(sign(-9) == -1 && sign(0) == 0 && sign(3) == 1);

    int left = 0, right = 0;
    *(sign(4) > 0 ? &left : &right) += 1;
    assert(left == 1 && right == 0);

    int *target = left > right ? &left : &right;
    *target = 7;
    assert(left == 7);

    struct pair a = {1, 2}, b = {3, 4};
    assert((left == 7 ? b : a).second == 4);
    int fallback = right ?: 9;
    assert(fallback == 9);
    return 0;
}
