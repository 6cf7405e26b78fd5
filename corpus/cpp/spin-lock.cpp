// A spin lock class on std::atomic_flag works with std::lock_guard.
// expect: default=safe overflow=safe
// final-states: 1
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class SpinLock {
public:
    void lock() {
        while (flag.test_and_set(std::memory_order_acquire))
            ;
    }
    void unlock() { flag.clear(std::memory_order_release); }

private:
    std::atomic_flag flag = ATOMIC_FLAG_INIT;
};

static SpinLock spin;
static int counter = 0;

static void work() {
    std::lock_guard<SpinLock> guard(spin);
    counter++;
}

int main() {
    std::thread a(work);
    std::thread b(work);
    a.join();
    b.join();
    assert(counter == 2);
}
