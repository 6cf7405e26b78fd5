// The bytes of a word, put together again, are the word.
// expect: assert=safe
// inputs: too many

#include <assert.h>
#include <string.h>

#include "threadproof.h"

int main(void)
{
    unsigned word = tp_nondet_uint(), copy = 0;
    unsigned char bytes[4];
    memcpy(bytes, &word, 4);
    for (int i = 3; i >= 0; i--)
        copy = copy << 8 | bytes[i];
    assert(copy == word);
    return 0;
}
