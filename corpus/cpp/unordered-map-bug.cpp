// A hash table that two threads fill without a lock.
// expect: race=unsafe
#include <thread>
#include <unordered_map>

static std::unordered_map<int, int> squares;

int main()
{
    std::thread thread([] { squares[1] = 1; });
    squares[2] = 4;
    thread.join();
}
