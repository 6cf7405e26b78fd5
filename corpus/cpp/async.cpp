// A task that runs at once, one that waits until it is asked for, and one that is packed.
// expect: default=safe
#include <cassert>
#include <future>

int main()
{
    auto now = std::async(std::launch::async, [] { return 5; });
    auto later = std::async(std::launch::deferred, [] { return 6; });
    std::packaged_task<int(int)> task([](int number) { return number + 1; });
    auto packed = task.get_future();
    task(6);
    assert(now.get() + later.get() + packed.get() == 18);
    return 0;
}
