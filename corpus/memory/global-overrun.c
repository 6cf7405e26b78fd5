// The loop stays inside the global array; its neighbour keeps its value.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>

enum { SIZE = 4 };

static int squares[SIZE];
static int after = 7;

int main(void)
{
    for (int i = 0; i < SIZE; i++)
        squares[i] = i * i;
    assert(squares[3] == 9);
    assert(after == 7);
    return 0;
}
