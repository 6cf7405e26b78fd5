// A result that nobody sets is waited for in vain.
// expect: deadlock=unsafe
#include <future>

int main()
{
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    return future.get();
}
