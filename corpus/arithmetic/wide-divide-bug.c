// A 128-bit division by zero.
// expect: arithmetic=unsafe assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe

typedef unsigned __int128 uint128;

static uint128 quotient(uint128 a, uint128 b)
{
    return a / b; //~ arithmetic
}

int main(void)
{
    uint128 large = (uint128)1 << 100;
    uint128 shifted_out = large << 28;
    return quotient(large, shifted_out) != 0;
}
