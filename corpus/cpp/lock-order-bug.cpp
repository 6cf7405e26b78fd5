// Two nested std::lock_guards in opposite order deadlock.
// expect: deadlock=unsafe assert=safe race=safe memory=safe lock-misuse=safe
// expect: arithmetic=safe overflow=safe
// final-states: 1
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex left, right;
static int moves = 0;

static void to_the_right() {
    std::lock_guard<std::mutex> first(left);
    std::lock_guard<std::mutex> second(right);
    moves++;
}

static void to_the_left() {
    std::lock_guard<std::mutex> first(right);
    std::lock_guard<std::mutex> second(left);
    moves++;
}

int main() {
    std::thread a(to_the_right);
    std::thread b(to_the_left);
    a.join();
    b.join();
    assert(moves == 2);
}
