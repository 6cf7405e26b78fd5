// A measured value grows until it does not fit the integer that it is converted to.
// expect: arithmetic=unsafe assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe overflow=safe

static double value = 100;

int main(void)
{
    int level = 0;
    for (int i = 0; i < 3; i++) {
        level = (signed char)value; //~ arithmetic
        value = value + 20;
    }
    return level < 0;
}
