// A smallest value that is not a number is compared as if it were one.
// expect: assert=unsafe

#include <assert.h>
#include <math.h>

float minimum(float, float) __asm__("llvm.minimum.f32");

int main(void)
{
    volatile float measured = NAN, limit = 1;
    float least = minimum(measured, limit);
    assert(least <= limit); //~ assert
    return 0;
}
