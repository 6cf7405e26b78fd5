// A list that two threads fill without a lock.
// expect: race=unsafe
#include <list>
#include <thread>

static std::list<int> numbers;

int main()
{
    std::thread thread([] { numbers.push_back(1); });
    numbers.push_back(2);
    thread.join();
    return 0;
}
