// A destructor runs after main and after the functions registered with atexit.
// expect: default=safe

#include <assert.h>
#include <stdlib.h>

static int step;

__attribute__((destructor)) static void last(void)
{
    assert(step == 2);
}

static void registered(void)
{
    assert(step == 1);
    step = 2;
}

int main(void)
{
    atexit(registered);
    step = 1;
    return 0;
}
