// The assertion helper of the verification competition: a function that tests its argument and reaches the error.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

extern void abort(void);
extern void reach_error(void);

static void __VERIFIER_assert(int condition)
{
    if (!condition) {
        reach_error(); //~ assert
        abort();
    }
}

int main(void)
{
    int x = 0;
    while (x < 10)
        x += 3;
    __VERIFIER_assert(x >= 10);
    __VERIFIER_assert(x == 10); //~ assert
    return 0;
}
