// Backward and forward jumps that form loops without a loop statement.
// expect: default=safe overflow=safe

#include <assert.h>

static int collatz_steps(int n)
{
    int steps = 0;
again:
    if (n == 1)
        goto done;
    steps++;
    if (n % 2 != 0)
        goto odd;
    n /= 2;
    goto again;
odd:
    n = 3 * n + 1;
    goto again;
done:
    return steps;
}

int main(void)
{
    assert(collatz_steps(1) == 0);
    assert(collatz_steps(6) == 8);
    assert(collatz_steps(7) == 16);
    return 0;
}
