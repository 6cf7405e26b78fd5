// Recursion with one call and with two.
// expect: default=safe overflow=safe

#include <assert.h>

static int factorial(int n)
{
    return n <= 1 ? 1 : n * factorial(n - 1);
}

static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void)
{
    assert(factorial(0) == 1);
    assert(factorial(12) == 479001600);
    assert(fibonacci(7) == 13);
    return 0;
}
