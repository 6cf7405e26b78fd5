// The smaller and the larger of two numbers: of minimum and maximum nothing that is not a number is lost, of fmin and fmax it is.
// expect: default=safe

#include <assert.h>
#include <math.h>

float minimum(float, float) __asm__("llvm.minimum.f32");
double maximum(double, double) __asm__("llvm.maximum.f64");

int main(void)
{
    volatile float none = NAN, one = 1, zero = 0;
    assert(isnan(minimum(none, one)) && isnan(minimum(one, none)) && isnan(maximum(none, one)));
    assert(fminf(none, one) == 1 && fmax(one, none) == 1);
    assert(minimum(one, zero) == 0 && maximum(one, zero) == 1);
    assert(signbit(minimum(zero, -zero)) && signbit(minimum(-zero, zero)));
    assert(!signbit(maximum(zero, -zero)) && !signbit(maximum(-zero, zero)));
    return 0;
}
