// A thread waits at a barrier; its completion runs once, before the thread goes on.
// expect: default=safe
// flags: -std=c++20
#include <barrier>
#include <cassert>
#include <thread>

static int phases;

static void meet(std::barrier<void (*)() noexcept> &barrier)
{
    barrier.arrive_and_wait();
    assert(phases == 1);
}

int main()
{
    std::barrier<void (*)() noexcept> barrier(2, []() noexcept { phases++; });
    std::thread thread([&] { meet(barrier); });
    (void)barrier.arrive();
    thread.join();
    assert(phases == 1);
}
