// Whatever is divided, even something never set: the divisor is zero.
// expect: arithmetic=unsafe assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
int main(void) {
    int dividend, divisor = 0;
    volatile int quotient = dividend / divisor; //~ arithmetic
    return 0;
}
