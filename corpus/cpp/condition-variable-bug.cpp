// A std::condition_variable without a predicate: the notification may come too early, or not at all.
// expect: deadlock=unsafe assert=unsafe race=safe memory=safe lock-misuse=safe
// expect: arithmetic=safe overflow=safe
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable filled;
static int item = 0;

static void produce() {
    {
        std::lock_guard<std::mutex> guard(lock);
        item = 7;
    }
    filled.notify_one();
}

static void consume() {
    std::unique_lock<std::mutex> guard(lock);
    filled.wait(guard);
    assert(item == 7); //~ assert
}

int main() {
    std::thread consumer(consume);
    std::thread producer(produce);
    producer.join();
    consumer.join();
}
