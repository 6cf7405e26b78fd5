// The kernel's style of error handling: goto to the labels that undo what was done.
// expect: default=safe leak=safe

#include <assert.h>
#include <stdlib.h>

static int live;

static int *acquire(int fails)
{
    if (fails)
        return NULL;
    live++;
    return malloc(sizeof(int));
}

static void release(int *resource)
{
    live--;
    free(resource);
}

static int work(int failing_step)
{
    int result = -1;
    int *first = acquire(failing_step == 1);
    if (first == NULL)
        goto out;
    int *second = acquire(failing_step == 2);
    if (second == NULL)
        goto release_first;
    result = 0;
    release(second);
release_first:
    release(first);
out:
    return result;
}

int main(void)
{
    assert(work(1) == -1 && live == 0);
    assert(work(2) == -1 && live == 0);
    assert(work(0) == 0 && live == 0);
    return 0;
}
