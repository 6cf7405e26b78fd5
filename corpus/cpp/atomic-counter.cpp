// Two std::threads run a function that increments a std::atomic.
// expect: default=safe overflow=safe
// final-states: 1
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> counter{0};

static void count(int times) {
    for (int i = 0; i < times; i++)
        ++counter;
}

int main() {
    std::thread a(count, 2);
    std::thread b(count, 1);
    a.join();
    b.join();
    assert(counter == 3);
}
