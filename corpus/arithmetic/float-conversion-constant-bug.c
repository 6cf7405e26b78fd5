// A constant that does not fit an unsigned integer, since it is negative.
// expect: arithmetic=unsafe assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe

int main(void)
{
    unsigned start = (unsigned)-2.5; //~ arithmetic
    return start == 0;
}
