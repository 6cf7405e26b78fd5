// Two functions that call each other.
// expect: default=safe overflow=safe

#include <assert.h>
#include <stdbool.h>

static bool is_odd(unsigned n);

static bool is_even(unsigned n)
{
    return n == 0 || is_odd(n - 1);
}

static bool is_odd(unsigned n)
{
    return n != 0 && is_even(n - 1);
}

int main(void)
{
    assert(is_even(8));
    assert(!is_even(7));
    assert(is_odd(9));
    assert(!is_odd(0));
    return 0;
}
