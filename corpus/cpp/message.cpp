// A release store to a std::atomic pointer publishes the object behind it.
// expect: default=safe overflow=safe
#include <atomic>
#include <cassert>
#include <thread>

struct Message {
    int text;
};

static Message message;
static std::atomic<Message *> inbox{nullptr};

static void send() {
    message.text = 5;
    inbox.store(&message, std::memory_order_release);
}

static void receive() {
    if (Message *m = inbox.load(std::memory_order_acquire))
        assert(m->text == 5);
}

int main() {
    std::thread a(send);
    std::thread b(receive);
    a.join();
    b.join();
}
