// A half is rounded to the even neighbour by lrint, and away from zero by lround.
// expect: assert=unsafe

#include <assert.h>
#include <math.h>

int main(void)
{
    volatile double half = 2.5;
    assert(lround(half) == 3);
    assert(lrint(half) == 3); //~ assert
    return 0;
}
