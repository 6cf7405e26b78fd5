// What a thread does before it sets a result is done for whoever has got it.
// expect: default=safe
#include <cassert>
#include <future>
#include <thread>

static int log;

int main()
{
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread thread([&promise] {
        log = 1;
        promise.set_value(7);
    });
    assert(future.get() == 7);
    assert(log == 1);
    thread.join();
    return 0;
}
