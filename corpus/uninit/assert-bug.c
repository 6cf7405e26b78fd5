// An assertion on a value that was never set.
// expect: uninit=unsafe assert=safe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe

#include <assert.h>

static void load(int *value, int found)
{
    if (found)
        *value = 3;
}

int main(void)
{
    int value;
    load(&value, 0);
    assert(value < 10); //~ uninit
    return 0;
}
