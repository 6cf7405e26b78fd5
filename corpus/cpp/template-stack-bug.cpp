// A class template of a locked stack whose users test for emptiness and pop in two steps.
// expect: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
// expect: arithmetic=safe overflow=safe
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

    bool empty() {
        std::lock_guard<std::mutex> guard(lock);
        return size == 0;
    }

    T pop() {
        std::lock_guard<std::mutex> guard(lock);
        assert(size > 0); //~ assert
        return items[--size];
    }

private:
    std::mutex lock;
    T items[Capacity] = {};
    int size = 0;
};

static Stack<int, 2> stack;

static void take() {
    if (!stack.empty())
        stack.pop(); // somebody else may have been faster
}

int main() {
    stack.push(1);
    std::thread a(take);
    std::thread b(take);
    a.join();
    b.join();
}
