// Cases without a break fall through to the next one.
// expect: default=safe overflow=safe

#include <assert.h>

static int days_left(int month)
{
    int days = 0;
    switch (month) {
    case 10:
        days += 31; // fall through
    case 11:
        days += 30; // fall through
    case 12:
        days += 31;
        break;
    default:
        days = -1;
    }
    return days;
}

int main(void)
{
    assert(days_left(12) == 31);
    assert(days_left(11) == 61);
    assert(days_left(10) == 92);
    assert(days_left(9) == -1);
    return 0;
}
