// The same product in a type that it fits.
// expect: default=safe overflow=safe

#include <assert.h>

#define HOURS 1000000

int main(void)
{
    long long seconds = HOURS * 3600LL;
    assert(seconds == 3600000000);
    return 0;
}
