// A quick exit runs its own handlers only, the last one first.
// expect: default=safe

#include <assert.h>
#include <stdlib.h>

static int step;

static void never(void)
{
    assert(0);
}

static void second(void)
{
    assert(step == 2);
}

static void first(void)
{
    step = 2;
}

int main(void)
{
    atexit(never);
    at_quick_exit(second);
    at_quick_exit(first);
    step = 1;
    quick_exit(0);
}
