// A total of prices in whole cents is exact.
// expect: default=safe overflow=safe

#include <assert.h>

int main(void)
{
    int cents = 0;
    for (int i = 0; i < 10; i++)
        cents += 10;
    assert(cents == 100);
    assert(cents / 100.0 == 1.0);
    return 0;
}
