// The same with the arguments in the order that they are given.
// expect: assert=unsafe
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
    std::thread thread(std::bind(&Account::move, &account, _1, _2), 2, 5);
    thread.join();
    assert(account.balance == 3); //~ assert
}
