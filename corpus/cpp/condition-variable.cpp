// A std::condition_variable with a predicate: the consumer cannot miss its item.
// expect: default=safe overflow=safe
// final-states: 1
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable filled;
static bool full = false;
static int item = 0;

static void produce() {
    {
        std::lock_guard<std::mutex> guard(lock);
        item = 7;
        full = true;
    }
    filled.notify_one();
}

static void consume() {
    std::unique_lock<std::mutex> guard(lock);
    filled.wait(guard, [] { return full; });
    assert(item == 7);
    full = false;
}

int main() {
    std::thread consumer(consume);
    std::thread producer(produce);
    producer.join();
    consumer.join();
}
