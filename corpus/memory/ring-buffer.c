// The write position of a ring buffer wraps after its last element.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>

enum { CAPACITY = 3 };

static int ring[CAPACITY];
static int head;

static void put(int value)
{
    ring[head] = value;
    head = head + 1 == CAPACITY ? 0 : head + 1;
}

int main(void)
{
    for (int i = 0; i < 5; i++)
        put(i);
    assert(ring[0] == 3 && ring[1] == 4 && ring[2] == 2);
    assert(head == 2);
    return 0;
}
