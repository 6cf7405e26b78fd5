// C++ before C++20 allows a shift into the sign bit.
// expect: default=safe overflow=safe
// flags: -std=c++17

static int one = 1, amount = 31;

int main()
{
    return one << amount == 0;
}
