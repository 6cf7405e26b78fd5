// One byte of a word is set, and the mask lets one bit of the next byte through.
// expect: uninit=unsafe assert=safe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe

static void set_low_byte(unsigned *word, unsigned char byte)
{
    *(unsigned char *)word = byte;
}

int main(void)
{
    unsigned word;
    set_low_byte(&word, 0x5a);
    if ((word & 0x1ff) == 0x5a) //~ uninit
        return 1;
    return 0;
}
