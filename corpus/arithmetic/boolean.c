// A bool is zero or one, whatever is converted to it.
// expect: default=safe overflow=safe

#include <assert.h>
#include <stdbool.h>

static int number = 256;

int main(void)
{
    bool flag = number;
    assert(flag == 1);
    assert((unsigned char)number == 0);
    double half = 0.5;
    flag = half;
    assert(flag + flag == 2);
    int *pointer = &number;
    flag = pointer;
    assert(flag == 1);
    flag = !flag;
    assert(flag == 0);
    flag = flag | number;
    assert(flag == 1);
    flag ^= 1;
    assert(!flag);
    assert(sizeof flag == 1);
    return 0;
}
