// Since C++20 a left shift is modular, of negative numbers, too.
// expect: default=safe overflow=safe
// flags: -std=c++20

#include <cassert>

static int ones = 3, negative = -3, amount = 31;

int main()
{
    assert((ones << amount) < 0);
    assert(negative << 1 == -6);
    return 0;
}
