// The digits of a number are written to a local buffer that holds the largest ones.
// expect: default=safe overflow=safe

#include <assert.h>

static int write_digits(char *out, unsigned number)
{
    int length = 0;
    do {
        out[length++] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    return length;
}

int main(void)
{
    char digits[10];
    assert(write_digits(digits, 1234) == 4);
    assert(digits[0] == '4' && digits[3] == '1');
    assert(write_digits(digits, 4294967295u) == 10);
    assert(digits[9] == '4');
    return 0;
}
