// A new thread may have the identifier of one that was joined.
// expect: assert=unsafe
#include <cassert>
#include <thread>

int main() {
    std::thread first([] {});
    std::thread::id old = first.get_id();
    first.join();
    std::thread second([] {});
    assert(second.get_id() != old); //~ assert
    second.join();
}
