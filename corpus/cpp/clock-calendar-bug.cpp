// The calendar's time is not just after its beginning.
// expect: assert=unsafe
// inputs: too many
#include <cassert>
#include <chrono>

int main()
{
    auto now = std::chrono::system_clock::now();
    assert(std::chrono::system_clock::to_time_t(now) < 1000000); //~ assert
    return 0;
}
