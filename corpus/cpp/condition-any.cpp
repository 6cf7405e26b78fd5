// A condition variable that takes any kind of lock.
// expect: default=safe
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable_any changed;
static bool ready;

int main()
{
    std::thread thread([] {
        std::lock_guard<std::mutex> guard(lock);
        ready = true;
        changed.notify_one();
    });
    {
        std::unique_lock<std::mutex> guard(lock);
        while (!ready) changed.wait(guard);
        assert(ready);
    }
    thread.join();
    return 0;
}
