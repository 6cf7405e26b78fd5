// A shift by 40 is too far for a 32-bit long.
// expect: arithmetic=unsafe assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// data-model: ilp32

static unsigned long bit(unsigned position)
{
    return 1UL << position; //~ arithmetic
}

int main(void)
{
    return bit(40) != 0;
}
