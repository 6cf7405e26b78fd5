// C++ before C++20 allows a shift into the sign bit, but not over it.
// expect: overflow=unsafe arithmetic=safe assert=safe
// flags: -std=c++17

static int ones = 3, amount = 31;

int main()
{
    return ones << amount == 0; //~ overflow
}
