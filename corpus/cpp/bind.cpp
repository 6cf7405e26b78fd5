// A thread runs a call whose arguments std::bind puts in another order.
// expect: default=safe
#include <cassert>
#include <functional>
#include <thread>

struct Account {
    int balance = 0;
    void move(int in, int out) { balance += in - out; }
};

int main()
{
    using namespace std::placeholders;
    Account account;
    std::thread thread(std::bind(&Account::move, &account, _2, _1), 2, 5);
    thread.join();
    assert(account.balance == 3);
}
