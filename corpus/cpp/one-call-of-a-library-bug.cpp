// What a library does inside for one call is one line of a report, named by the function that the program calls.
// expect: race=unsafe assert=safe deadlock=safe memory=safe lock-misuse=safe
#include <cassert>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;
static std::vector<std::function<void()>> tasks;
static int runs;

static void submit() {
    std::lock_guard<std::mutex> guard(lock);
    tasks.push_back([] { runs++; }); //~ race
}

static void run() {
    std::function<void()> task;
    {
        std::lock_guard<std::mutex> guard(lock);
        task = tasks.back();
        tasks.pop_back();
    }
    task();
}

int main() {
    submit();
    submit();
    std::thread one(run), two(run);
    one.join();
    two.join();
    assert(runs > 0 && runs <= 2);
    return 0;
}
