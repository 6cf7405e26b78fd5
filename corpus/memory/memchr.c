// memchr finds the first byte of a value within the given length, or nothing.
// expect: default=safe

#include <assert.h>
#include <string.h>

int main(void)
{
    const unsigned char data[6] = {7, 0, 3, 200, 3, 1};
    assert(memchr(data, 3, sizeof data) == data + 2);
    assert(memchr(data, 0, sizeof data) == data + 1);
    assert(memchr(data, 200, sizeof data) == data + 3);
    assert(memchr(data, 1, 5) == NULL);
    return 0;
}
