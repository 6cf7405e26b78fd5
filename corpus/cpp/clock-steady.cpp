// A steady clock never goes back.
// expect: assert=safe
// inputs: too many
#include <cassert>
#include <chrono>

int main()
{
    auto before = std::chrono::steady_clock::now();
    auto after = std::chrono::steady_clock::now();
    assert(before <= after);
    return 0;
}
