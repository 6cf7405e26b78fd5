// An input that C++ declares without saying that it is a function of C: one of its values is wrong.
// expect: assert=unsafe race=safe

#include <cassert>
#include <thread>

int nondet_int();
bool nondet_bool();
void __VERIFIER_assume(int condition);

int main()
{
    int amount = nondet_int(), taken = 0;
    __VERIFIER_assume(amount >= 0 && amount <= 3);
    std::thread thread([&] { taken = nondet_bool() ? 1 : 0; });
    thread.join();
    assert(!(taken && amount == 3)); //~ assert
    return 0;
}
