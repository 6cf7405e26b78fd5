// The last full second whose nanoseconds fit 64 bits.
// expect: default=safe overflow=safe

#include <assert.h>
#include <limits.h>

static long long nanoseconds(long long seconds)
{
    return seconds * 1000000000LL;
}

int main(void)
{
    assert(nanoseconds(9223372036LL) == 9223372036000000000LL);
    assert(LLONG_MAX - nanoseconds(9223372036LL) == 854775807LL);
    return 0;
}
