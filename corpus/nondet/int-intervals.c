// A nondeterministic int compared with several constants: one case for each interval the constants cut out.
// expect: default=safe
// final-states: 5

#include <assert.h>

#include "threadproof.h"

static char grade = '-';

int main(void)
{
    int points = tp_nondet_int();
    if (points < 0 || points > 100)
        return 0;
    if (points >= 90)
        grade = points == 100 ? 'S' : 'A';
    else if (points >= 50)
        grade = 'B';
    else
        grade = 'F';
    if (grade == 'A')
        assert(points > 89 && points < 100);
    return 0;
}
