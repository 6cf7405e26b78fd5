// Inputs and assumptions that C++ declares without saying that they are functions of C.
// expect: default=safe

#include <cassert>
#include <thread>

int nondet_int();
void __VERIFIER_assume(int condition);
void __VERIFIER_atomic_begin();
void __VERIFIER_atomic_end();

static int sum;

static void add(int amount)
{
    __VERIFIER_atomic_begin();
    sum += amount;
    __VERIFIER_atomic_end();
}

int main()
{
    int amount = nondet_int();
    __VERIFIER_assume(amount >= 1 && amount <= 3);
    std::thread thread(add, 2);
    add(amount);
    thread.join();
    assert(sum >= 3 && sum <= 5);
    return 0;
}
