// Lambdas capture a local variable by reference and change it under a std::mutex.
// expect: default=safe overflow=safe
#include <cassert>
#include <mutex>
#include <thread>

int main() {
    std::mutex lock;
    int total = 0;
    auto add = [&lock, &total](int amount) {
        std::lock_guard<std::mutex> guard(lock);
        total += amount;
    };
    std::thread a(add, 1);
    std::thread b(add, 2);
    a.join();
    b.join();
    assert(total == 3);
}
