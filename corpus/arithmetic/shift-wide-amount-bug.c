// The amount of a shift is a 64-bit number whose low half is small: it must not be cut off.
// expect: arithmetic=unsafe assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe overflow=safe

static unsigned long long amount = 1ull << 32 | 3;
static unsigned value = 64;

int main(void)
{
    value = value >> amount; //~ arithmetic
    return 0;
}
