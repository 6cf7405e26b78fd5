// memcmp compares bytes as unsigned values and looks no further than it is told.
// expect: default=safe

#include <assert.h>
#include <string.h>

int main(void)
{
    const unsigned char a[4] = {1, 2, 0x80, 4};
    const unsigned char b[4] = {1, 2, 0x7f, 9};
    assert(memcmp(a, b, 2) == 0);
    assert(memcmp(a, b, 3) > 0);
    assert(memcmp(b, a, 4) < 0);
    assert(memcmp(a, b, 0) == 0);
    assert(memcmp("same", "same", 5) == 0);
    return 0;
}
