// What `<<=` shifts in a variable that is narrower than int is an int, so that 31 is not too far.
// expect: default=safe overflow=safe

#include <assert.h>

static unsigned char low = 1;
static unsigned short half = 0xffff;
static signed char sign = 1;
static struct { unsigned three : 3; } field = {5};

int main(void)
{
    low <<= 9;
    assert(low == 0);
    half >>= 17;
    assert(half == 0);
    sign <<= 30;
    assert(sign == 0);
    field.three >>= 31;
    assert(field.three == 0);
    return 0;
}
