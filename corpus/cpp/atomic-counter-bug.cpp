// Two std::threads run a function that increments a plain int.
// expect: race=unsafe assert=unsafe deadlock=safe memory=safe lock-misuse=safe
// expect: arithmetic=safe overflow=safe
// final-states: 1
#include <cassert>
#include <thread>

static int counter = 0;

static void count() {
    ++counter; //~ race
}

int main() {
    std::thread a(count);
    std::thread b(count);
    a.join();
    b.join();
    assert(counter == 2); //~ assert
}
