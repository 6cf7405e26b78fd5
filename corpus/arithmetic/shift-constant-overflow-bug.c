// A constant is shifted over the sign bit: the compiler folds the shift to 0.
// expect: assert=safe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe overflow=unsafe

static int flag;

int main(void)
{
    flag = 4 << 30; //~ overflow
    return 0;
}
