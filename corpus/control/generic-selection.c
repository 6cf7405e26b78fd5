// _Generic chooses an expression by the type of another one.
// expect: default=safe

#include <assert.h>

#define kind_of(x) _Generic((x), int: 1, unsigned: 2, long: 3, double: 4, char *: 5, const char *: 6, default: 0)

static int int_maximum(int a, int b) { return a > b ? a : b; }
static double double_maximum(double a, double b) { return a > b ? a : b; }

#define maximum(a, b) _Generic((a) + (b), int: int_maximum, double: double_maximum)(a, b)

int main(void)
{
    char text[2] = "x";
    const char *constant = text;
    short small = 1;
    assert(kind_of(1) == 1 && kind_of(1u) == 2 && kind_of(1L) == 3 && kind_of(1.0) == 4);
    assert(kind_of(text) == 5 && kind_of(constant) == 6);
    assert(kind_of(small) == 0 && kind_of(small + small) == 1);
    assert(maximum(3, 4) == 4);
    assert(maximum(3, 4.5) == 4.5);
    return 0;
}
