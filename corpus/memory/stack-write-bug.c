// The digits of a number are written to a local buffer that is too short for the largest ones.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe overflow=safe

static int write_digits(char *out, unsigned number)
{
    int length = 0;
    do {
        out[length++] = (char)('0' + number % 10); //~ memory
        number /= 10;
    } while (number != 0);
    return length;
}

int main(void)
{
    char digits[4];
    int length = write_digits(digits, 1234);
    return length + write_digits(digits, 12345);
}
