// Single precision arithmetic rounds to 24 bits after every operation.
// expect: default=safe

#include <assert.h>

static float add(float a, float b) { return a + b; }
static float multiply(float a, float b) { return a * b; }
static float divide(float a, float b) { return a / b; }

int main(void)
{
    assert(add(16777216.0f, 1.0f) == 16777216.0f);
    assert(add(16777216.0f, 3.0f) == 16777220.0f); // a tie, rounded to even
    assert(add(1.5f, 0.25f) == 1.75f);
    assert(multiply(1.5f, -2.5f) == -3.75f);
    assert(divide(1.0f, 4.0f) == 0.25f);
    assert(divide(1.0f, 3.0f) != 1.0 / 3.0);
    assert(multiply(1e30f, 1e30f) > 3.4e38f); // infinity
    assert(multiply(1e-30f, 1e-30f) == 0.0f);
    return 0;
}
