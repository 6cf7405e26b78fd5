// A class template of a small locked stack: test and pop happen under one lock.
// expect: default=safe overflow=safe
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

template <typename T, int Capacity>
class Stack {
public:
    void push(T value) {
        std::lock_guard<std::mutex> guard(lock);
        items[size++] = value;
    }

    bool pop(T &value) {
        std::lock_guard<std::mutex> guard(lock);
        if (size == 0)
            return false;
        value = items[--size];
        return true;
    }

private:
    std::mutex lock;
    T items[Capacity] = {};
    int size = 0;
};

static Stack<int, 2> stack;
static std::atomic<int> sum{0};

static void take() {
    int value = 0;
    if (stack.pop(value))
        sum += value;
}

int main() {
    stack.push(1);
    std::thread a(take);
    std::thread b(take);
    a.join();
    b.join();
    assert(sum == 1);
}
