// What a thread does after it has set a result races with whoever has got it.
// expect: race=unsafe
#include <future>
#include <thread>

static int log;

int main()
{
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread thread([&promise] {
        promise.set_value(7);
        log = 1; //~ race
    });
    int result = future.get() + log; //~ race
    thread.join();
    return result;
}
