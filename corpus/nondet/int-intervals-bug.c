// One value out of all the ints leads to the fault.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>

#include "threadproof.h"

int main(void)
{
    int key = tp_nondet_int();
    assert(key != 123456789); //~ assert
    return 0;
}
