// A union shows that the top byte of an input may be set.
// expect: assert=unsafe
// inputs: too many

#include <assert.h>

#include "threadproof.h"

union parts {
    unsigned word;
    unsigned char bytes[4];
};

int main(void)
{
    union parts parts;
    parts.word = tp_nondet_uint();
    tp_assume(parts.word != 0 && parts.word % 3 == 1);
    assert(parts.bytes[3] != 0x81); //~ assert
    return 0;
}
