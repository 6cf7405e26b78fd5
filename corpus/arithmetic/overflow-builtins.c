// The checked arithmetic builtins say whether the result fits and store it wrapped.
// expect: default=safe overflow=safe

#include <assert.h>
#include <limits.h>

int main(void)
{
    int result;
    assert(!__builtin_add_overflow(2147483600, 47, &result) && result == INT_MAX);
    assert(__builtin_add_overflow(INT_MAX, 1, &result) && result == INT_MIN);
    assert(__builtin_sub_overflow(INT_MIN, 1, &result) && result == INT_MAX);
    assert(!__builtin_mul_overflow(46340, 46340, &result) && result == 2147395600);
    assert(__builtin_mul_overflow(65536, 65536, &result) && result == 0);

    unsigned size;
    assert(__builtin_add_overflow(UINT_MAX, 1u, &size) && size == 0);
    assert(__builtin_sub_overflow(0u, 1u, &size) && size == UINT_MAX);
    assert(!__builtin_mul_overflow(65535u, 65537u, &size) && size == UINT_MAX);

    long long wide;
    assert(__builtin_mul_overflow(1LL << 62, 2LL, &wide) && wide == LLONG_MIN);
    assert(!__builtin_mul_overflow(-(1LL << 62), 2LL, &wide) && wide == LLONG_MIN);
    return 0;
}
