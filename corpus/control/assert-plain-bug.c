// A plain assertion that fails.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe leak=safe overflow=safe

#include <assert.h>

static int half(int x)
{
    return x / 2;
}

int main(void)
{
    int x = 7;
    assert(half(x) * 2 == x); //~ assert
    return 0;
}
