// A store to one bit-field leaves the bits of its neighbours alone, also across bytes.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>

struct registers {
    unsigned int low : 3;
    unsigned int middle : 10;
    unsigned int high : 19;
};

static struct registers registers;

int main(void)
{
    registers.low = 5;
    registers.high = 0x7ffff;
    registers.middle = 0x2aa;
    assert(registers.low == 5 && registers.middle == 0x2aa && registers.high == 0x7ffff);
    registers.middle = 0;
    assert(registers.low == 5 && registers.high == 0x7ffff);
    registers.low ^= 7;
    registers.high >>= 9;
    assert(registers.low == 2 && registers.middle == 0 && registers.high == 0x3ff);
    assert(sizeof registers == 4);
    return 0;
}
