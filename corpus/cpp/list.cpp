// A list that two threads fill under a lock, and its operations on whole rings.
// expect: default=safe
#include <cassert>
#include <list>
#include <mutex>
#include <thread>

static std::list<int> numbers;
static std::mutex lock;

static void add(int number)
{
    std::lock_guard<std::mutex> guard(lock);
    numbers.push_back(number);
}

int main()
{
    std::thread thread(add, 1);
    add(2);
    thread.join();
    assert(numbers.size() == 2 && numbers.front() + numbers.back() == 3);

    std::list<int> other{5, 6, 7}, empty;
    other.reverse();
    assert(other.front() == 7 && other.back() == 5);
    other.splice(other.begin(), other, --other.end());
    assert(other.front() == 5 && other.back() == 6);
    other.swap(empty);
    assert(other.empty() && empty.size() == 3);
    empty.remove(7);
    numbers.splice(numbers.end(), empty);
    assert(numbers.size() == 4 && numbers.back() == 6);
    return 0;
}
