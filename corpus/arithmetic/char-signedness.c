// A plain char is signed on x86: characters above 127 are negative numbers.
// expect: default=safe overflow=safe

#include <assert.h>
#include <limits.h>

static const char text[] = "\xff\x80z";

int main(void)
{
    assert(CHAR_MIN == -128);
    assert(text[0] == -1 && text[1] == -128 && text[2] == 'z');
    assert((unsigned char)text[0] == 255);
    int digit = text[2] - 'a';
    assert(digit == 25);
    char c = text[0];
    unsigned extended = (unsigned)c;
    assert(extended == UINT_MAX);
    return 0;
}
