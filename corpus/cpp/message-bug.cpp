// A relaxed store to a std::atomic pointer does not publish the object behind it.
// expect: race=unsafe assert=safe deadlock=safe memory=safe lock-misuse=safe
// expect: arithmetic=safe overflow=safe
#include <atomic>
#include <cassert>
#include <thread>

struct Message {
    int text;
};

static Message message;
static std::atomic<Message *> inbox{nullptr};

static void send() {
    message.text = 5; //~ race
    inbox.store(&message, std::memory_order_relaxed);
}

static void receive() {
    if (Message *m = inbox.load(std::memory_order_acquire))
        assert(m->text == 5); //~ race
}

int main() {
    std::thread a(send);
    std::thread b(receive);
    a.join();
    b.join();
}
