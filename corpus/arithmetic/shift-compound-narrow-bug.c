// A byte is an int while `<<=` shifts it: 32 is too far, and 255 << 24 reaches the sign bit.
// expect: arithmetic=unsafe assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe overflow=unsafe

static unsigned char value = 255;
static unsigned char other = 1;

int main(void)
{
    value <<= 24; //~ overflow
    other <<= 32; //~ arithmetic
    return 0;
}
