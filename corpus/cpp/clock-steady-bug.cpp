// Any time may pass between two looks at a clock.
// expect: assert=unsafe
// inputs: too many
#include <cassert>
#include <chrono>

int main()
{
    auto before = std::chrono::steady_clock::now();
    auto after = std::chrono::steady_clock::now();
    assert(after - before < std::chrono::hours(1)); //~ assert
    return 0;
}
