// Numbers that do not fit are the largest, and say so in errno.
// expect: default=safe

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

int main(void)
{
    char *end;
    errno = 0;
    assert(strtol("123456789012345678901", &end, 10) == LONG_MAX && !*end && errno == ERANGE);
    assert(strtoll("-9223372036854775809", 0, 10) == LLONG_MIN);
    assert(strtoull("18446744073709551616", 0, 10) == ULLONG_MAX);
    errno = 0;
    assert(strtol("-42x", &end, 10) == -42 && *end == 'x' && errno == 0);
    assert(strtod("2.5e1", &end) == 25.0 && !*end);
    return 0;
}
