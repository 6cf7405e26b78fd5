// The counts of a shared_ptr are atomic, the pointer itself is not: one thread resets what another copies.
// expect: race=unsafe

#include <memory>
#include <thread>

static std::shared_ptr<int> current;

int main()
{
    current = std::make_shared<int>(1);
    std::thread other([] { current.reset(); });
    std::shared_ptr<int> mine = current;
    other.join();
    return mine ? *mine : 0;
}
