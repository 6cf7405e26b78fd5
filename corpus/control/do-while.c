// A do-while loop runs at least once, and continue goes to its condition.
// expect: default=safe overflow=safe

#include <assert.h>

static int digits(unsigned number)
{
    int count = 0;
    do {
        count++;
        number /= 10;
    } while (number != 0);
    return count;
}

int main(void)
{
    assert(digits(0) == 1);
    assert(digits(9) == 1);
    assert(digits(12345) == 5);

    int rounds = 0, skipped = 0;
    do {
        if (rounds == 2)
            continue;
        skipped++;
    } while (++rounds < 4);
    assert(rounds == 4 && skipped == 3);
    return 0;
}
