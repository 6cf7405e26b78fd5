// Lambdas capture a local variable by reference and change it without a lock.
// expect: race=unsafe assert=unsafe deadlock=safe memory=safe lock-misuse=safe
// expect: arithmetic=safe overflow=safe
#include <cassert>
#include <thread>

int main() {
    int total = 0;
    auto add = [&total](int amount) {
        total += amount; //~ race
    };
    std::thread a(add, 1);
    std::thread b(add, 2);
    a.join();
    b.join();
    assert(total == 3); //~ assert
}
