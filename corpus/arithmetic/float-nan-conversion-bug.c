// A mean of no values is not a number, which no integer can hold.
// expect: arithmetic=unsafe assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe overflow=safe

static double sum, count;

int main(void)
{
    int mean = (int)(sum / count); //~ arithmetic
    return mean != 0;
}
