// The object goes with the last shared_ptr, whichever thread has it; a weak_ptr does not hold it.
// expect: default=safe cleanup=safe

#include <cassert>
#include <memory>
#include <thread>

static int alive;

struct Node {
    int value = 7;
    Node() { alive++; }
    ~Node() { alive--; }
};

int main()
{
    auto node = std::make_shared<Node>();
    std::weak_ptr<Node> watcher = node;
    std::thread other([node = std::move(node)]() mutable {
        assert(node->value == 7);
        node.reset();
    });
    if (auto held = watcher.lock()) assert(held->value == 7);
    other.join();
    assert(watcher.expired() && alive == 0);
    return 0;
}
