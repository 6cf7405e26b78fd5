// A total of prices in float misses the exact sum that the assertion asks for.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>

int main(void)
{
    float total = 0;
    for (int i = 0; i < 10; i++)
        total += 0.1f;
    assert(total == 1.0f); //~ assert
    return 0;
}
