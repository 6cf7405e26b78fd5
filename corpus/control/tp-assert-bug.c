// The checker's own assertion, which needs no assert.h and ignores NDEBUG.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe
// flags: -DNDEBUG

#include "threadproof.h"

static int balance = 10;

static void withdraw(int amount)
{
    balance -= amount;
    tp_assert(balance >= 0); //~ assert
}

int main(void)
{
    withdraw(7);
    withdraw(7);
    return 0;
}
