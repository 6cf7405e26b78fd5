// A thread that only arrives at a barrier does not know that the phase is over.
// expect: race=unsafe
// flags: -std=c++20
#include <barrier>
#include <cassert>
#include <thread>

static int phases;

static void meet(std::barrier<void (*)() noexcept> &barrier)
{
    barrier.arrive_and_wait();
    assert(phases >= 0);
}

int main()
{
    std::barrier<void (*)() noexcept> barrier(2, []() noexcept { phases++; });
    std::thread thread([&] { meet(barrier); });
    (void)barrier.arrive();
    phases = 0; //~ race
    thread.join();
}
