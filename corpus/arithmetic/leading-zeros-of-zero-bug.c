// How many zeros lead in the number 0 is undefined for the builtin: what it gives cannot be relied on.
// expect: uninit=unsafe

#include <assert.h>

int main(void)
{
    volatile unsigned x = 0;
    assert(__builtin_clz(x) == 32); //~ uninit
    return 0;
}
