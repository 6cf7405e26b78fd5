// A switch over 64-bit, negative and character values, with the default in the middle.
// expect: default=safe

#include <assert.h>

static int classify(long long value)
{
    switch (value) {
    case -1:
        return 1;
    case 'a':
        return 2;
    default:
        return 0;
    case 0x100000000:
        return 3;
    case 5 ... 8:
        return 4;
    }
}

int main(void)
{
    assert(classify(-1) == 1);
    assert(classify(97) == 2);
    assert(classify(0x100000000) == 3);
    assert(classify(0) == 0);
    assert(classify(5) == 4 && classify(8) == 4 && classify(9) == 0);
    return 0;
}
