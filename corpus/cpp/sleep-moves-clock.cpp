// After a sleep, the clocks of the library show a time that is at least that much later.
// expect: assert=safe
// inputs: too many
#include <cassert>
#include <chrono>
#include <thread>

int main()
{
    auto before = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    assert(std::chrono::steady_clock::now() - before >= std::chrono::milliseconds(20));
    return 0;
}
