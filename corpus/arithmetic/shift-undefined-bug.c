// Whatever is shifted, even something never set: the shift is too far.
// expect: arithmetic=unsafe assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
int main(void) {
    unsigned bits, amount = 40;
    volatile unsigned shifted = bits << amount; //~ arithmetic
    return 0;
}
