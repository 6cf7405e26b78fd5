// A static local variable keeps its value between calls and is initialised once.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>

static int next_ticket(void)
{
    static int last = 100;
    return ++last;
}

static int *slot(int index)
{
    static int slots[3];
    return &slots[index];
}

int main(void)
{
    assert(next_ticket() == 101);
    assert(next_ticket() == 102);
    *slot(1) = 5;
    assert(*slot(1) == 5 && *slot(2) == 0);
    return 0;
}
