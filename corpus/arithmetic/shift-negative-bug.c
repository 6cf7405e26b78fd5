// A position before the start of the window becomes a negative shift.
// expect: arithmetic=unsafe assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe overflow=safe

static unsigned window = 0xf0;

static unsigned bit_at(int position, int start)
{
    return (window >> (position - start)) & 1; //~ arithmetic
}

int main(void)
{
    return (int)bit_at(3, 4);
}
