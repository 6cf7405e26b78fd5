// A mask whose width is a constant that is one too large: the compiler folds the shift away.
// expect: arithmetic=unsafe assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe

#define WIDTH 32

static unsigned mask;

int main(void)
{
    mask = (1u << WIDTH) - 1; //~ arithmetic
    return 0;
}
