// A mask of all 32 bits is built by a shift of 32.
// expect: arithmetic=unsafe assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe overflow=safe

static unsigned low_bits(unsigned count)
{
    return (1u << count) - 1; //~ arithmetic
}

int main(void)
{
    return low_bits(8) == 255 && low_bits(32) == 0xffffffffu;
}
