// One byte of a word is set, and a mask keeps only that byte.
// expect: default=safe

#include <assert.h>

static void set_low_byte(unsigned *word, unsigned char byte)
{
    *(unsigned char *)word = byte;
}

int main(void)
{
    unsigned word;
    set_low_byte(&word, 0x5a);
    assert((word & 0xff) == 0x5a);
    assert((unsigned char)word == 0x5a);
    return 0;
}
