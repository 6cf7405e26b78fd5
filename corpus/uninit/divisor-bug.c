// A division by a number that was never set.
// expect: uninit=unsafe assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe

struct ratio {
    int numerator;
    int denominator;
};

static void set_numerator(struct ratio *ratio, int numerator)
{
    ratio->numerator = numerator;
}

int main(void)
{
    struct ratio ratio;
    set_numerator(&ratio, 6);
    return ratio.numerator / ratio.denominator; //~ uninit
}
