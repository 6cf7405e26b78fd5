// mktime leaves a date that is regular as it is, and brings others into their ranges.
// expect: assert=safe
// inputs: too many

#include <assert.h>
#include <time.h>

int main(void)
{
    struct tm due = {.tm_year = 126, .tm_mon = 10, .tm_mday = 19, .tm_hour = 16, .tm_min = 40, .tm_isdst = -1};
    if (mktime(&due) == -1)
        return 1;
    assert(due.tm_mon == 10 && due.tm_mday == 19 && due.tm_hour == 16);
    due.tm_mday += 30;
    if (mktime(&due) == -1)
        return 1;
    assert(due.tm_mday >= 1 && due.tm_mday <= 31);
    return 0;
}
