// The absolute value of the smallest number does not fit.
// expect: overflow=unsafe arithmetic=safe assert=safe memory=safe

#include <limits.h>
#include <stdlib.h>

static long distance(long a, long b)
{
    return labs(a - b); //~ overflow
}

int main(void)
{
    return distance(LONG_MIN + 1, 1) == 0;
}
