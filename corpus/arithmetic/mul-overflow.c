// A product is computed in 64 bits from the start.
// expect: default=safe overflow=safe

#include <assert.h>

static long long area(int width, int height)
{
    return (long long)width * height;
}

int main(void)
{
    assert(area(65536, 65536) == 4294967296LL);
    assert(area(-65536, 65536) == -4294967296LL);
    return 0;
}
