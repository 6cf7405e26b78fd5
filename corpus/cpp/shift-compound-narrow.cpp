// Before C++20, too, a byte that `<<=` shifts is an int meanwhile: what comes out is cut off, not undefined.
// flags: -std=c++17
// expect: default=safe overflow=safe

#include <cassert>

signed char constant = 1;
signed char variable = 1;
int amount = 31;

int main()
{
    constant <<= 7;
    assert(constant == -128);
    variable <<= amount;
    assert(variable == 0);
    return 0;
}
