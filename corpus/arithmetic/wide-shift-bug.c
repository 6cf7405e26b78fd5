// A 128-bit value is shifted by 128.
// expect: arithmetic=unsafe assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe

typedef unsigned __int128 uint128;

static uint128 low_bits(unsigned count)
{
    return ((uint128)1 << count) - 1; //~ arithmetic
}

int main(void)
{
    return low_bits(100) > 0 && low_bits(128) == 0;
}
