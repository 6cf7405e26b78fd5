// The shared pointer is atomic; what it points to is not.
// flags: -std=c++20
// expect: race=unsafe

#include <atomic>
#include <memory>
#include <thread>

static std::atomic<std::shared_ptr<int>> current;

int main()
{
    current.store(std::make_shared<int>(0));
    std::thread other([] { ++*current.load(); }); //~ race
    ++*current.load(); //~ race
    other.join();
}
