// A std::scoped_lock takes two mutexes without deadlock, in whatever order they are named.
// expect: default=safe overflow=safe
// final-states: 1
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex left, right;
static int moves = 0;

static void to_the_right() {
    std::scoped_lock both(left, right);
    moves++;
}

static void to_the_left() {
    std::scoped_lock both(right, left);
    moves++;
}

int main() {
    std::thread a(to_the_right);
    std::thread b(to_the_left);
    a.join();
    b.join();
    assert(moves == 2);
}
