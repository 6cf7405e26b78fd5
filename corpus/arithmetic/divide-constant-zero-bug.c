// A share among no threads: divisor and dividend are constants, so the compiler folds the division.
// expect: arithmetic=unsafe assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe

enum { THREADS = 0 };

int main(void)
{
    int share = 100 / THREADS; //~ arithmetic
    return share > 0 ? 0 : 1;
}
