// A thread casts to the class of an object that another thread may have exchanged.
// expect: assert=unsafe
#include <cassert>
#include <mutex>
#include <thread>

struct Base { virtual ~Base() {} };
struct Circle : Base {};
struct Square : Base {};

static std::mutex lock;
static Circle circle;
static Square square;
static Base *shape = &circle;

int main()
{
    std::thread thread([] {
        std::lock_guard<std::mutex> guard(lock);
        shape = &square;
    });
    {
        std::lock_guard<std::mutex> guard(lock);
        assert(dynamic_cast<Circle *>(shape)); //~ assert
    }
    thread.join();
}
