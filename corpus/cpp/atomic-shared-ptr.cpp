// A shared pointer that is atomic is loaded and stored by two threads: the lock within it orders them.
// flags: -std=c++20
// expect: default=safe

#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

static std::atomic<std::shared_ptr<int>> current;

int main()
{
    std::thread writer([] { current.store(std::make_shared<int>(2)); });
    std::shared_ptr<int> seen = current.load();
    assert(!seen || *seen == 2);
    writer.join();
}
