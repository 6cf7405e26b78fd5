// memmove copies overlapping ranges in both directions as if through a second buffer.
// expect: default=safe
// final-states: 1

#include <assert.h>
#include <string.h>

static int queue[5] = {1, 2, 3, 4, 5};

int main(void)
{
    memmove(queue + 1, queue, 4 * sizeof(int));
    assert(queue[0] == 1 && queue[1] == 1 && queue[2] == 2);
    assert(queue[3] == 3 && queue[4] == 4);
    memmove(queue, queue + 2, 3 * sizeof(int));
    assert(queue[0] == 2 && queue[1] == 3 && queue[2] == 4);
    assert(queue[3] == 3 && queue[4] == 4);
    return 0;
}
