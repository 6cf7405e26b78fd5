// The 32nd of a month becomes a day of the next one.
// expect: assert=unsafe
// inputs: too many

#include <assert.h>
#include <time.h>

int main(void)
{
    struct tm day = {.tm_year = 126, .tm_mon = 0, .tm_mday = 32};
    if (mktime(&day) == -1)
        return 1;
    assert(day.tm_mon == 0); //~ assert
    return 0;
}
